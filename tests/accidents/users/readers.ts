import type { BatchRecord } from '#contract/batch.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { does, leaves, none, once, retries } from '../acts.ts';
import type { Does, Now, User, Way } from '../user.ts';
import type { Kept, World } from '../world.ts';

/** A user who only reads. */
const reads = (journey: JourneyId, at: Kept, acts: User['does'], ways: readonly Way[]): User => ({
  journey,
  at,
  isThere: () => true,
  made: none,
  ways,
  does: { unavailable: retries, ...acts },
});
const asks = (journey: JourneyId): User =>
  reads(journey, 'settings', { shown: leaves }, [
    { states: ['looking', 'shown'] },
    { faults: { looking: 'cut' }, states: ['unavailable'] },
  ]);

const posts = (world: World): Promise<unknown> => world.postFile();
/** The provider advances the batch. */
const steps: Does = async ({ world, facts }) => {
  await world.lab.ask('POST', `/batches/${facts.settings.batchId}/step`).catch(() => undefined); // where it was forgotten
  return undefined;
};

const downloadsOnce = once('file', does('file.download'));
/** Only a batch of file payments has a file. */
const downloads: Does = (now) => (now.snapshot.can({ type: 'file.download' }) ? downloadsOnce(now) : 'leaves');

/** The list may have a batch before the facts of the page name it. */
const firstRow = ({ snapshot }: Now) => (snapshot.context as { batches: readonly BatchRecord[] }).batches[0];
const polls = once('poll', (now) => ({ type: 'batch.poll', id: firstRow(now)?.batchId }));

export const readers = {
  'look at the access token': reads('accessToken', 'company', { shown: leaves }, [
    { states: ['obtaining', 'shown'] },
    { faults: { obtaining: 'cut' }, states: ['unavailable'] },
    { at: 'settings', states: ['blocked'] },
    { at: 'organisation', states: ['blocked'] },
  ]),
  'follow a batch': reads(
    'batch',
    'creditor',
    {
      following: steps,
      settled: downloads,
      stalled: retries,
      undelivered: retries,
    },
    [
      { before: posts, states: ['loading', 'opening', 'following', 'settled', 'downloading'] },
      { before: posts, faults: { loading: 'cut' }, states: ['unavailable'] },
      { before: posts, faults: { opening: 'cut' }, states: ['stalled', 'reading'] },
      { before: posts, faults: { downloading: 'cut' }, states: ['undelivered'] },
      { states: ['blocked'] },
    ],
  ),
  'look through the batches': reads(
    'batchList',
    'batch',
    {
      listing: (now) => (firstRow(now) ? polls(now) : undefined),
      stalled: retries,
    },
    [
      { states: ['loading', 'listing', 'polling'] },
      { faults: { loading: 'cut' }, states: ['unavailable'] },
      { faults: { polling: 'cut' }, states: ['stalled'] },
      { at: 'creditor', states: ['blocked'] },
    ],
  ),
  'try the rules': reads('additionalData', 'company', { trying: leaves }, [
    { states: ['loading', 'trying'] },
    { faults: { loading: 'cut' }, states: ['unavailable'] },
  ]),
  'look at a transfer': reads('transfer', 'settings', { ready: does('transfer.open'), opened: leaves }, [
    { states: ['ready', 'opened'] },
  ]),
  'ask for the consumer health': asks('consumerHealth'),
  'ask for the messaging health': asks('messagingHealth'),
  'look up translations': asks('translations'),
  'look up bank files': asks('bankFiles'),
  'look up providers': asks('providers'),
} as const satisfies Record<string, User>;
