import type { JourneyId } from '#machines/journeys.ts';
import { accidentNames } from './climate.ts';
import type { Told } from './apart.ts';

/** The journeys that change something at the service. */
const writing = [
  'organisation',
  'company',
  'account',
  'dataset',
  'subscription',
  'bankSubscription',
  'authorisation',
  'debtor',
  'creditor',
  'electronicPayment',
  'filePayment',
] as const satisfies readonly JourneyId[];

/** The first words of what a journey can meet, and of what it meets rarely. */
const kinds = ['network', 'service', 'line', 'user'];
const rareKinds = ['disk', 'webhook', 'machine'];

/** What users do besides (`walks.ts`), as it is noted where a journey meets it. */
const userHabits = ['reload', 'backAndForward', 'secondTab', 'switchCompany', 'setSetting', 'pressesTwice'].map(
  (habit) => `user ${habit}`,
);

/** The changes of a payment's row that must happen; each is another way through the journal. */
const changes = [
  'claimed to done', // answered
  'claimed to done by a webhook', // which came before the answer
  'claimed to unknown', // the answer was lost, or says nothing
  'claimed to refused', // refused as its repeat would be
  'claimed to free', // never sent
  'claimed, taken over', // its holder has died, or sleeps
  'unknown, taken over', // repeated by its user
  'unknown to done by a response', // to the repeat
  'unknown to done by a webhook', // late, it settles what nobody knew
  'refused to done by a response', // although a repeat was refused
];

/** What must happen in at least one of so many worlds, in which it happens ten times on average, so that it is missed by fault only. */
interface Sometimes {
  what: string;
  worlds: number;
}

const pairsOf = (names: readonly string[]): string[] =>
  names.flatMap((one, index) => names.slice(index + 1).map((other) => `${one} + ${other}`));

const within = (worlds: number, whats: readonly string[]): Sometimes[] => whats.map((what) => ({ what, worlds }));

/** What must sometimes happen; a run of so many worlds in which it never did has shown nothing of it. */
export const sometimes: readonly Sometimes[] = [
  ...within(200, accidentNames),
  ...within(200, [
    'a payment came back',
    'a payment came back by a webhook alone',
    'a payment was held',
    'a webhook came late',
  ]),
  ...within(500, ['a batch waits for a day of its scheme', ...changes.map((change) => `createBatch: ${change}`)]),
  ...within(3000, ['createBatch: unknown to done by a read']), // found among the service's batches
  ...within(2000, pairsOf([...accidentNames].sort())),
  ...within(
    2000,
    [...accidentNames, ...userHabits].map((each) => `filePayment meets ${each}`),
  ),
  ...within(
    2000,
    writing.flatMap((journey) => kinds.map((kind) => `${journey} meets any ${kind}`)),
  ),
  ...within(
    10_000,
    writing.flatMap((journey) => rareKinds.map((kind) => `${journey} meets any ${kind}`)),
  ),
];

/** What has happened in a world, in the words of `sometimes`. */
export function happenedIn({
  accidents,
  covered: { met, changes, days },
}: Pick<Told, 'accidents' | 'covered'>): string[] {
  const names = [...new Set(accidents)].sort();
  const meetings = Object.entries(met).flatMap(([journey, those]) =>
    those.flatMap((each) => [`${journey} meets ${each}`, `${journey} meets any ${each.split(' ')[0]}`]),
  );
  return [...names, ...pairsOf(names), ...meetings, ...changes, ...days];
}

/** Returns what never happened in so many worlds, in which these did, although it must. */
export const neverHappened = (worlds: number, happened: ReadonlySet<string>): string[] =>
  sometimes.filter((each) => each.worlds <= worlds && !happened.has(each.what)).map(({ what }) => what);
