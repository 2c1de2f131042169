import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Creditor } from '#contract/party.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { comparison } from '#server/companies/comparableText.ts';
import { creditors } from '#server/companies/records.ts';
import type { Where } from '#server/storage/recordRows.ts';
import type { Payer } from '#server/storage/paidInvoices.ts';
import { identifierOf, intentionBy, isHalfNamed, isPayeeOf, sumsBy } from './invoiceIdentity.ts';
import type { Batch, Identities, KnownPayee } from './invoiceIdentity.ts';
import { payerOf } from './payer.ts';

/** A batch with what its payments are recognised by, made before a transaction in which it is looked up and stored. */
export interface IdentifiedBatch {
  batch: Batch;
  /** The creditors that it names by half (see `identitiesOf`). */
  known: KnownPayee[];
  /** One element for each payment. */
  identities: Identities[];
  sums: { own: string[]; other: string[] }[];
  /** See `intentionOf`. */
  intention: string;
  /** Who pays it, with the tags of all these; undefined if there is no company. */
  payer: Payer | undefined;
}

/** The identities under which other attempts may have stored a payment's invoices, whatever they tell of the payee. */
export const lookupIdentities = ({ invoices, aliases }: Identities): string[] => [...invoices, ...aliases.other];

/** The identities under which a payment's invoices are stored. */
export const ownIdentities = ({ invoices, aliases }: Identities): string[] => [...invoices, ...aliases.own];

/** Returns the company's creditors that may have one of these names; reads all if there are more names than creditors. */
async function creditorsNamed({ store }: Pick<CompanyContext, 'store'>, names: readonly Where[]): Promise<Creditor[]> {
  const records = store.records(creditors);
  if (names.length > (await records.count())) return records.list();
  const found: Creditor[] = [];
  for (const name of names) found.push(...(await records.list(name)));
  return found;
}

/** Returns the company's creditors that a batch names by their id without an account, or the reverse. */
async function knownPayeesOf(
  deps: Pick<CompanyContext, 'store'>,
  { payments }: Pick<Batch, 'payments'>,
): Promise<KnownPayee[]> {
  const half = payments.filter(isHalfNamed);
  if (half.length === 0) return [];
  const { text, number } = comparison;
  const ids = new Set(half.map(({ creditor }) => text(creditor.creditorId)));
  const accounts = new Set(half.map(({ creditorAccount }) => number(creditorAccount?.identification ?? '')));
  const found = await creditorsNamed(deps, [
    ...[...ids].filter(Boolean).map((name) => ({ name })),
    ...[...accounts].filter(Boolean).map((alias) => ({ alias })),
  ]);
  const known = found
    .map((creditor) => ({
      creditorId: creditor.creditorId,
      identification: creditor.creditorAccountidentification,
      secondaryIdentification: creditor.creditorAccountSecondaryIdentification,
    }))
    .filter(isPayeeOf(half));
  return [...new Map(known.map((each) => [each.creditorId, each])).values()]; // found by its id and by its account
}

/** Number of payments that are identified before other work gets its turn. */
const identifiedAtOnce = 50;

async function each<In, Out>(all: readonly In[], make: (one: In) => Out): Promise<Out[]> {
  const made: Out[] = [];
  for (const one of all) {
    if (made.length % identifiedAtOnce === identifiedAtOnce - 1) await othersTurn();
    made.push(make(one));
  }
  return made;
}

/** Identifies the payments of a batch; `given` are the payees that it names by half, if they are to be those of before. */
export async function identified(
  deps: Pick<CompanyContext, 'store' | 'config'>,
  batch: Batch,
  given?: KnownPayee[],
): Promise<IdentifiedBatch> {
  const known = given ?? (await knownPayeesOf(deps, batch));
  const identities = await each(batch.payments, identifierOf(known));
  const sums = await each(batch.payments, sumsBy(known));
  const unaided = known.length === 0 ? identities : await each(batch.payments, identifierOf([]));
  const intention = intentionBy(batch, unaided);
  const payer = await payerOf(deps);
  const all = [
    ...identities.flatMap(({ invoices, aliases }) => [...invoices, ...aliases.own, ...aliases.other]),
    ...sums.flatMap(({ own, other }) => [...own, ...other]),
  ];
  const tags = payer && (await deps.store.paidInvoices.tagsOf(payer.owner, all));
  return { batch, known, identities, sums, intention, payer: payer && tags && { ...payer, tags } };
}
