import { hash as sha256 } from 'node:crypto';
import StandardDecimal from 'decimal.js-light';
import type { BatchRequest, Payment } from '#contract/payment.ts';
import { quoted } from '#server/http/json.ts';

/** A batch with or without its externalId. */
export type Batch = Omit<BatchRequest, 'externalId'> & { externalId?: string };

const Decimal = StandardDecimal.clone({ precision: 40 });

const digest = (text: string): string => sha256('sha256', text, 'base64url').slice(0, 22);
const hash = (parts: readonly string[]): string => digest(JSON.stringify(parts));

/** Matches a text in which only the letter case needs normalising. */
const isPlain = /^[!-~]*$/;

/** Normalises a text for comparison: ignores letter case, spacing and invisible characters. */
const plain = (text = ''): string =>
  (isPlain.test(text) ? text : text.normalize('NFKC').replace(/[\s\p{Cf}\p{Cc}]+/gu, '')).toLowerCase();

/** Normalises an account number, which may contain separators. */
function digits(text: string): string {
  const shown = plain(text);
  return /^[0-9a-z]*$/.test(shown) ? shown : shown.replace(/[^\p{L}\p{N}]/gu, '');
}

/** A payee; each part is a JSON fragment, to be joined into the list that is hashed. */
interface Payee {
  /**
   * The creditor's id and the account, or the name if there is neither. Omits the bank, which may be written in several
   * ways or be absent.
   */
  identities: string[];
  name: string;
  /** The account's first number; '' if there is none. */
  number: string;
  /**
   * Whether the payee is identified by the name alone (`isNamed`), and whether the account has only a first number
   * (`isNumbered`).
   */
  isNamed: boolean;
  isNumbered: boolean;
}

function payee({ creditor, creditorAccount }: Payment): Payee {
  const { identification = '', secondaryIdentification = '' } = creditorAccount ?? {};
  const { creditorId: written = '' } = creditor;
  const [id, first, second] = [plain(written), digits(identification), digits(secondaryIdentification)];
  const [name, number] = [quoted(plain(creditor.name)), first && quoted(first)];
  const identities: string[] = [];
  // Also as written: earlier versions stored attempts without normalising the id.
  if (written && written !== id) identities.push(`"creditor",${quoted(written)}`);
  if (id) identities.push(`"creditor",${quoted(id)}`);
  if (first) identities.push(`"account",${number},${quoted(second)}`);
  if (identities.length === 0) identities.push(`"name",${name}`);
  return { identities, name, number, isNamed: !id && !first, isNumbered: !second };
}

/** Returns an amount and its currency as JSON, without insignificant zeros. */
const sumOf = ({ amount, currency }: Payment['instructedAmount']): string =>
  `${quoted(new Decimal(amount).toString())},${quoted(currency)}`;

/**
 * Returns the key of an invoice of a payee: its reference, whatever the amount; without a reference, the text and the
 * amount.
 */
function invoiceIn({ remittanceInformation, instructedAmount }: Payment): string {
  const { reference, unstructured } = remittanceInformation ?? {};
  const named = plain(reference);
  return named ? `"reference",${quoted(named)}` : `"sum",${quoted(plain(unstructured))},${sumOf(instructedAmount)}`;
}

/**
 * The identities of one payment; payments that share one may pay the same invoice. `own` identities are stored, `other`
 * ones are looked up.
 */
export interface Identities {
  /** The invoices, identified by the payment's body alone; both stored and looked up. */
  invoices: string[];
  /**
   * The same invoices, identified by fewer details of the payee: by the name alone, or by an account without its second
   * number. They match a payment that gives all details of its payee with one that does not.
   */
  aliases: { own: string[]; other: string[] };
}

function identify(payment: Payment): Identities {
  const { identities, name, number, isNamed, isNumbered } = payee(payment);
  const invoice = invoiceIn(payment);
  const aliases = (asNamed: boolean, asNumbered: boolean) => {
    const byName = digest(`[${asNamed ? '"name alone"' : '"name besides"'},${name},${invoice}]`);
    if (!number) return [byName];
    return [byName, digest(`[${asNumbered ? '"first number alone"' : '"first number besides"'},${number},${invoice}]`)];
  };
  return {
    invoices: identities.map((each) => digest(`[${each},${invoice}]`)),
    aliases: { own: aliases(isNamed, isNumbered), other: aliases(!isNamed, !isNumbered) },
  };
}

/** Returns the identities of each payment of a batch. */
export const identitiesOf = ({ payments }: Pick<Batch, 'payments'>): Identities[] => payments.map(identify);

/** Returns the identities under which each payment of a batch is stored: its invoices and aliases. */
export const storedIdentities = (batch: Pick<Batch, 'payments'>): string[][] =>
  identitiesOf(batch).map(({ invoices, aliases }) => [...invoices, ...aliases.own]);

/** Returns hashes of a payment's payee and amount, to match a payment that has a reference with one that has none. */
export function sumsOf(payment: Payment): { own: string[]; other: string[] } {
  const sum = sumOf(payment.instructedAmount);
  const { identities } = payee(payment);
  const sums = (isReferenced: boolean) =>
    identities.map((each) => digest(`[${each},${isReferenced ? '"referenced sum"' : '"bare sum"'},${sum}]`));
  const hasReference = plain(payment.remittanceInformation?.reference) !== '';
  return { own: sums(hasReference), other: sums(!hasReference) };
}

/** Returns the identity of a listed invoice; it equals that of the payments that the page creates from it. */
export const invoiceOf = (creditorId: string, invoiceId: string): string[] => [
  hash(['creditor', creditorId, 'reference', plain(invoiceId)]),
];

/**
 * Returns what a batch is meant to pay, as a hash: equal for batches that pay the same invoices from the same account,
 * with the same subscription and template.
 */
export function intentionOf(batch: Batch): string {
  const { subscriptionId = '', fileFormatId = '', debtor } = batch;
  const invoices = identitiesOf(batch).flatMap((each) => each.invoices);
  return hash([subscriptionId, fileFormatId, debtor?.debtorId ?? '', ...invoices.sort()]);
}
