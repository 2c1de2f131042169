import { calls, type CallName } from '#contract/calls.ts';
import type { JourneyId } from '#machines/journeys.ts';
import type { RecordedBatch } from '#server/sandbox/recorded.ts';
import type { Session } from '#tests/accidents/tab.ts';
import type { Exchange } from './line.ts';
import { anybody, openBrowser, type PageRequest } from './page.ts';
import { confirmations } from './stored.ts';
import type { Diary } from './walks.ts';
import type { World } from './world.ts';

/** The session of a tab that keeps no drafts, which would override the values of a scenario. */
const withoutDrafts: Session & Pick<Storage, 'setItem' | 'removeItem'> = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
  copy: () => withoutDrafts,
};

/** Who rehearses, in the background of a page. */
const rehearser = 'a rehearsal';
/** The journeys of what a rehearsal makes. */
const rehearsedBy: Readonly<Partial<Record<CallName, JourneyId>>> = {
  createOrganisation: 'organisation',
  createCompany: 'company',
  createSubscription: 'subscription',
  putDebtor: 'debtor',
  putCreditor: 'creditor',
  createBatch: 'electronicPayment',
};
/** Scenarios that do not move the service's clock back. */
const rehearsed = ['webhookTwice', 'webhookLost', 'consentRevoked', 'ruleChanged'] as const;

/** Rehearses a scenario, with faults of the lab that everybody meets, in a company that is current meanwhile. */
export async function rehearses(
  world: World,
  { intended }: Diary,
  onSent: (request: PageRequest) => void,
): Promise<void> {
  const { scheduler } = world;
  const { between, pick } = scheduler.of(rehearser);
  await scheduler.wait(between(1, 30_000));
  const keys = new Set<string>();
  /** A rehearsal decides to make what it sends first under a key. */
  const note = (request: PageRequest) => {
    onSent(request);
    const { method, path, key } = request;
    const [, journey] = Object.entries(rehearsedBy).find(
      ([name]) => calls[name as CallName].method === method && calls[name as CallName].path === path, // its keys
    ) ?? ['', undefined];
    if (!journey || keys.has(key)) return;
    keys.add(key);
    intended.set(journey, (intended.get(journey) ?? 0) + 1);
  };
  const tab = await openBrowser(world, anybody(rehearser), note).open('/', withoutDrafts);
  // Where an accident meets it too, it says why it ended.
  const because = await tab
    .rehearse(pick(rehearsed))
    .catch((error: unknown) => (error instanceof Error ? error.message : JSON.stringify(error)));
  scheduler.note(`the rehearsal ends: ${because}`);
  tab.close();
}

/**
 * Returns what of a rehearsal is among what is real, a sentence each: a batch that it has paid for another company than its own,
 * and one of its batches in the list of another company.
 */
export function wrongOfRehearsal(exchanges: readonly Exchange[], batches: readonly RecordedBatch[]): string[] {
  const own = confirmations(exchanges.filter(({ who }) => who === rehearser));
  const companies = new Set(own.companies.map(({ id }) => id));
  const companyOf = new Map(own.batches.map(({ id, companyKey }) => [id, companyKey]));
  const paid = batches.filter(({ batchId, companyId }) => companyOf.has(batchId) && !companies.has(companyId));
  const lists = exchanges.filter(({ path, status }) => path === calls.getPostedBatches.path && status === 200);
  return [
    ...paid.map(({ batchId, companyId }) => `The rehearsal has paid ${batchId} for the company ${companyId}.`),
    ...lists.flatMap(({ who, companyKey, text }) =>
      [...companyOf]
        .filter(([id, its]) => its !== companyKey && text.includes(id))
        .map(([id]) => `The batch ${id} of the rehearsal is in the list of ${companyKey}, which ${who} has read.`),
    ),
  ];
}
