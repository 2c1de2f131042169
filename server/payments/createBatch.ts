import { isDeepStrictEqual } from 'node:util';
import { alerts } from '#contract/alerts.ts';
import { dayFlaw, dayOf, daysAnywhere } from '#contract/executionDate.ts';
import type { BatchRequest } from '#contract/payment.ts';
import type { Answer } from '#contract/shapes.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { batchAnswers } from '#server/companies/records.ts';
import { companyIn } from '#server/companies/settings.ts';
import { Failure } from '#server/failure.ts';
import type { LineFacts } from '#server/storage/schema.ts';
import type { Write as Row } from '#server/storage/writes.ts';
import {
  coveredBy,
  factsOfBatch,
  paidAlreadyFailure,
  payerIn,
  repetitionFailure,
  shownIn,
  standings,
} from '#server/writes/invoices.ts';
import type { Batch, Covered } from '#server/writes/invoices.ts';
import type { Write } from '#server/writes/journal.ts';
import { keepBatch } from './batchAnswers.ts';
import { isRepeatable, undecided } from './undecided.ts';

/** Throws a Failure if the execution date is past or too far away. */
export function requireDay({ clock }: CompanyContext, { requestedExecutionDateTime: at }: Batch): void {
  const message = dayFlaw(dayOf(at), daysAnywhere(clock.now()));
  if (message)
    throw new Failure('invalid-request', message, { errors: [{ path: 'requestedExecutionDateTime', message }] });
}

interface Input {
  body: BatchRequest;
  query: { again?: 'true' | 'false' | undefined; shown?: string | undefined };
  key: string;
}

/**
 * Pays a batch, whose invoices no other write has paid, or may have paid, unless the user confirms a second payment (decision 2).
 */
export const createBatch: Write<'createBatch', Input, Answer<'createBatch'>> = {
  async reserve(context, { body, query }, isRepeat) {
    const { store } = context;
    // A repeat asks for the outcome of the first request, whose date may have passed since.
    if (!isRepeat) requireDay(context, body);
    const company = companyIn(context.settings);
    // The ids of a company alone do not make it the user's, and tell nothing of what it has paid.
    await context.upstream.token(company);
    const payer = payerIn(context, company);
    if (payer === undefined) throw new Failure('prerequisite-missing', alerts.noCompany);
    const facts = await factsOfBatch(store, payer, body);
    const isAsked = !isRepeat && query.again !== 'true';
    const repetition = isAsked ? await repetitionFailure(body, facts) : undefined;
    return async ({ position }) => {
      await store.invoiceLines.lock(payer);
      // What was paid before a repeat's first request is confirmed, or was not there.
      const covered = await coveredBy(store, facts, { except: position, ...(isRepeat && { after: position }) });
      const isConfirmed = query.again === 'true' && (query.shown ?? shownIn(covered)) === shownIn(covered);
      if (covered.length > 0 && !isConfirmed) throw paidAlreadyFailure(store, body, covered);
      if (repetition) throw repetition;
      if (!isRepeat) await store.invoiceLines.add(position, facts);
      return undefined; // the lines go with their write
    };
  },
  send: ({ settings, upstream }, { body, key }) => upstream.createBatch(companyIn(settings), body, key),
  async keep({ store, clock }, { body }, { data }) {
    await keepBatch(store, data, body, clock.now());
    return { data };
  },
};

/** What a payment is meant to be, besides its invoices. */
const meansOf = ({ subscriptionId, fileFormatId, debtor }: Batch) => [subscriptionId, fileFormatId, debtor?.debtorId];

/**
 * Returns the latest undecided write that pays the same invoices by the same means, with its body, if a repeat of it may settle
 * it: its key is alive, and it was not refused the last time.
 */
async function lostPayment(
  context: CompanyContext,
  batch: Batch,
  facts: readonly LineFacts[],
): Promise<{ row: Row; first: BatchRequest } | undefined> {
  const { store } = context;
  const covered = await coveredBy(store, facts);
  for (const row of (await undecided(store)).reverse()) {
    if (row.state === 'refused') continue;
    const lines = covered.map(({ by }) => by.filter(({ write }) => write === row.position));
    const numbers = new Set(lines.flat().map(({ line }) => line));
    if (lines.length < facts.length || lines.some((each) => each.length === 0) || numbers.size !== facts.length)
      continue;
    const first = (await store.writes.bodyOf(row)) as BatchRequest | undefined; // as it was sent
    if (!first) continue;
    const isSame = isDeepStrictEqual(meansOf(first), meansOf(batch)) && first.payments.length === facts.length;
    if (isSame && isRepeatable(context, row, first)) return { row, first };
  }
  return undefined;
}

/** Returns what the service says of payments of the company that may be paid already, by their index. */
async function saidOf(
  { store }: CompanyContext,
  batch: Batch,
  covered: readonly Covered[],
): Promise<Map<number, string>> {
  const said = new Map<number, string>();
  for (const { index, by } of covered) {
    const line = by.findLast(
      ({ workspace, companyKey }) => workspace === store.workspace && companyKey === store.companyKey,
    );
    if (!line) continue;
    const { batchId } = line;
    if (batchId === '') {
      said.set(index, await store.writes.wordsOf({ ...line, position: line.write }));
      continue;
    }
    const { says = [] } = (await store.records(batchAnswers).get(batchId)) ?? {};
    const reference = batch.payments[index]?.remittanceInformation?.reference;
    const found = says.find((each) => each.reference === reference);
    if (found) said.set(index, [found.status, found.words].filter(Boolean).join(': '));
  }
  return said;
}

/**
 * Returns the idempotency key for a payment under review: that of a write that has paid the same with an unknown outcome,
 * otherwise a new one; and the payments of its invoices that are known.
 */
export async function preparePayment(context: CompanyContext, batch: Batch): Promise<Answer<'preparePayment'>['data']> {
  const { settings, store, newId } = context;
  const payer = payerIn(context, settings);
  if (payer === undefined) return { key: newId(), covered: [], shown: '' };
  const facts = await factsOfBatch(store, payer, batch);
  const { row, first } = (await lostPayment(context, batch, facts)) ?? {};
  const covered = row
    ? await coveredBy(store, await factsOfBatch(store, payer, first!), { after: row.position })
    : await coveredBy(store, facts);
  const said = await saidOf(context, first ?? batch, covered);
  return {
    key: row?.key ?? newId(),
    ...(row && first && { sentAt: iso(row.claimedAt), first }),
    covered: (await standings(context, covered)).map((each) => ({
      ...each,
      ...(said.get(each.index) && { says: said.get(each.index) }),
    })),
    shown: shownIn(covered),
  };
}

/** Returns the batch that an undecided write has sent first. Throws `not-found` if no such write has this key. */
export async function sentBatch({ store }: CompanyContext, key: string): Promise<BatchRequest> {
  const row = (await undecided(store)).find((each) => each.key === key);
  const batch = row && ((await store.writes.bodyOf(row)) as BatchRequest | undefined); // as it was sent
  if (!batch) throw new Failure('not-found', 'No payment with an unknown outcome has this key.');
  return batch;
}
