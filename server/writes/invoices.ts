import { inTurns } from '#server/concurrency.ts';
import { hash } from 'node:crypto';
import type { Creditor } from '#contract/party.ts';
import type { BatchRequest, Standing } from '#contract/payment.ts';
import { counted } from '#rules/counted.ts';
import { iso } from '#server/clock.ts';
import { comparableId, comparison } from '#server/companies/comparableText.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { creditors } from '#server/companies/records.ts';
import { companyIn, type Stored } from '#server/companies/settings.ts';
import { Failure } from '#server/failure.ts';
import type { Tag } from '#server/storage/encryption.ts';
import type { StoredLine } from '#server/storage/invoiceLines.ts';
import type { Where } from '#server/storage/recordRows.ts';
import type { LineFacts } from '#server/storage/schema.ts';
import { createLineIndex, isHalfNamed, lineOf, taggedLine } from './sameInvoice.ts';
import type { KnownPayee } from './sameInvoice.ts';

/** A batch with or without its externalId. */
export type Batch = Omit<BatchRequest, 'externalId'> & { externalId?: string };

/** Maximum number of payments named in a refusal. */
const maximumNamed = 20;

/**
 * Returns the tag of the company that pays, which all of the console's records of it have in common, of whichever user;
 * undefined if these settings name none.
 */
export function payerIn(
  { store, config }: CompanyContext,
  { organisationId, companyId }: Pick<Stored, 'organisationId' | 'companyId'>,
): string | undefined {
  if (comparableId(companyId) === '') return undefined;
  return payerOf(store.tag, config.upstream.applicationId, organisationId, companyId);
}

/** Returns the tag of a company of the service, however its ids are written. */
export const payerOf = (tag: Tag, applicationId: string, organisationId: string, companyId: string): string =>
  tag('payer', ...[applicationId, organisationId, companyId].map(comparableId));

/** Returns the company's creditors that a batch names by their id without an account, or the reverse. */
async function knownPayeesOf(store: Store, { payments }: Batch): Promise<KnownPayee[]> {
  const half = payments.filter(isHalfNamed);
  if (half.length === 0) return [];
  const records = store.records(creditors);
  const ids = half.map(({ creditor }) => comparison.text(creditor.creditorId)).filter(Boolean);
  const accounts = half.map(({ creditorAccount }) => comparison.number(creditorAccount?.identification ?? ''));
  const names: Where[] = [
    ...[...new Set(ids)].map((name) => ({ name })),
    ...[...new Set(accounts)].filter(Boolean).map((alias) => ({ alias })),
  ];
  const found: Creditor[] = [];
  if (names.length > (await records.count())) found.push(...(await records.list()));
  else for (const name of names) found.push(...(await records.list(name)));
  return [...new Map(found.map((each) => [each.creditorId, each])).values()].map((each) => ({
    creditorId: each.creditorId,
    identification: each.creditorAccountidentification,
  }));
}

/** Returns the facts of a line as tags of one payer. */
export const factsOf = (tag: Tag, payer: string, line: LineFacts): LineFacts =>
  taggedLine(line, (value) => tag('invoice', payer, value));

/** Returns the facts of a batch's payments, in their order, for a payer. Other work gets its turn, unless in a transaction. */
export async function factsOfBatch(
  store: Store,
  payer: string,
  batch: Batch,
  isInTransaction = false,
): Promise<LineFacts[]> {
  const known = await knownPayeesOf(store, batch);
  const facts: LineFacts[] = [];
  for await (const payment of isInTransaction ? batch.payments : inTurns(batch.payments))
    facts.push(factsOf(store.tag, payer, lineOf(payment, known)));
  return facts;
}

/** A payment of a batch, by its index, that other payments may have paid. */
export interface Covered {
  index: number;
  by: StoredLine[];
}

/**
 * Finds the payments that other writes have made, or may have made. `except`: the write itself; `after`: only those that were
 * claimed later than this one.
 */
export async function coveredBy(
  store: Store,
  facts: readonly LineFacts[],
  { except, after = 0 }: { except?: number; after?: number } = {},
): Promise<Covered[]> {
  const found = (await store.invoiceLines.like(facts)).filter(
    ({ write, isFreed }) => write !== except && write > after && !isFreed,
  );
  return matched(facts, found);
}

function matched(facts: readonly LineFacts[], stored: readonly StoredLine[]): Covered[] {
  if (stored.length === 0) return [];
  const index = createLineIndex(stored);
  return facts.flatMap((each, place) => {
    const by = index.like(each);
    return by.length > 0 ? [{ index: place, by }] : [];
  });
}

/** Returns the failure `invalid-request` for a batch that contains several payments for one invoice. Other work gets its turn. */
export async function repetitionFailure(
  { payments }: Batch,
  facts: readonly LineFacts[],
): Promise<Failure | undefined> {
  const before = createLineIndex<LineFacts & { place: number }>();
  const errors: { path: string; message: string }[] = [];
  for await (const [place, each] of inTurns(facts.entries())) {
    const [same] = before.like(each);
    before.add({ ...each, place });
    if (!same) continue;
    const name = payments[place]?.remittanceInformation?.reference ?? 'This payment';
    errors.push({ path: `payments.${place}`, message: `${name} is for the same invoice as payments.${same.place}` });
  }
  if (errors.length === 0) return undefined;
  return new Failure(
    'invalid-request',
    `${errors.length} of ${counted(payments.length, 'payment')} ${errors.length === 1 ? 'repeats' : 'repeat'} an invoice of the same batch. To pay it more than once, send again=true.`,
    { errors: errors.slice(0, maximumNamed) },
  );
}

const stateOf = ({ batchId, isFreed }: StoredLine): Standing['state'] =>
  isFreed ? 'failed' : batchId === '' ? 'unknown' : 'paid';

/** The states of an invoice that several payments cover: the first one that applies to one of them. */
const precedence = ['paid', 'unknown', 'failed'] as const;

/** Returns what is told of an invoice by the lines that pay it; undefined if it is open. */
function standingOf({ workspace }: Store, by: readonly StoredLine[]): Standing | undefined {
  const isOthers = (line: StoredLine) => line.workspace !== workspace;
  // That another user's payment failed is not told: it covers nothing.
  const told = by.filter((line) => !(isOthers(line) && line.isFreed));
  const state = precedence.find((each) => told.some((line) => stateOf(line) === each));
  if (!state) return undefined;
  const line = told.findLast((each) => stateOf(each) === state && !isOthers(each));
  return line ? { state, at: iso(line.claimedAt), ...(line.batchId && { batchId: line.batchId }) } : { state };
}

function describeStanding({ state, at, batchId }: Standing): string {
  if (at === undefined)
    return state === 'paid'
      ? 'was paid by another user of this console'
      : 'was sent by another user of this console, and its outcome is not known';
  return state === 'paid' ? `was paid at ${at} in batch ${batchId}` : `was sent at ${at}, and its outcome is not known`;
}

/** Returns the failure `paid-already` for a batch of which other payments cover these. */
export function paidAlreadyFailure(store: Store, { payments }: Batch, found: readonly Covered[]): Failure {
  const errors = found.map(({ index, by }) => ({
    path: `payments.${index}`,
    message: `${payments[index]?.remittanceInformation?.reference ?? 'This payment'} ${describeStanding(standingOf(store, by)!)}`, // it is covered
  }));
  return new Failure(
    'paid-already',
    `${errors.length} of ${counted(payments.length, 'payment')} ${errors.length === 1 ? 'is for an invoice that is' : 'are for invoices that are'} paid or may be. To pay again, send again=true.`,
    { errors: errors.slice(0, maximumNamed) },
  );
}

/** Stands for the payments that a review shows: a confirmation means these, and no others. */
export const shownIn = (found: readonly Covered[]): string => {
  const writes = [...new Set(found.flatMap(({ by }) => by.map(({ write }) => write)))].sort((a, b) => a - b);
  return writes.length === 0 ? '' : hash('sha256', JSON.stringify(writes), 'base64url').slice(0, 22);
};

/** Omits the lines of other users, unless the company is the user's as well: its ids alone do not make it so. */
async function told({ settings, store, upstream }: CompanyContext, found: readonly Covered[]) {
  const isOthers = (line: StoredLine) => line.workspace !== store.workspace;
  if (!found.some(({ by }) => by.some(isOthers))) return found;
  const isOwn = await Promise.resolve()
    .then(() => upstream.token(companyIn(settings)))
    .then(
      () => true,
      () => false,
    );
  return isOwn ? found : found.map(({ index, by }) => ({ index, by: by.filter((line) => !isOthers(line)) }));
}

/** Returns what the user may know of payments that others cover, by their index. */
export async function standings(
  context: CompanyContext,
  found: readonly Covered[],
): Promise<(Standing & { index: number })[]> {
  return (await told(context, found)).flatMap(({ index, by }) => {
    const standing = standingOf(context.store, by);
    return standing ? [{ index, ...standing }] : [];
  });
}

/** Returns the standing of each invoice, by its index, also of those whose payments failed. */
export async function standingsOf(
  context: CompanyContext,
  facts: readonly LineFacts[],
): Promise<Map<number, Standing>> {
  const found = matched(facts, await context.store.invoiceLines.like(facts));
  return new Map((await standings(context, found)).map(({ index, ...standing }) => [index, standing]));
}
