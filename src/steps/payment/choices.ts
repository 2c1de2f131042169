import type { FileFormat } from '#contract/lookup.ts';
import type { Debtor } from '#contract/party.ts';
import { paymentChoices, paymentMessages } from '#machines/payment/payment.ts';
import type { Field } from '#rules/field.ts';
import type { Invoice, Standing } from '#contract/payment.ts';
import { accountText } from '#rules/accountText.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { distinctOptions } from '#rules/distinctOptions.ts';

/** A required choice, other than a field of a rule, as a form field. */
const choice = (field: Pick<Field, 'id' | 'label' | 'description' | 'options' | 'errorMessage'>): Field => ({
  ...field,
  example: '',
  required: true,
  kind: 'choice',
  regex: '',
  paths: [],
});

const accountName = (debtor: Debtor): string =>
  [debtor.debtorAccountname, debtor.debtorAgentidentification, debtor.debtorAccountidentification, debtor.currency]
    .filter((part) => part !== '')
    .join(' · ');

const shortName = ({ debtorAccountname, debtorAccountidentification, currency }: Debtor): string =>
  [accountText(debtorAccountname, debtorAccountidentification), currency].filter((part) => part !== '').join(' · ');

/** Whether a name names one of the debtors only. */
function isUnique(name: (debtor: Debtor) => string, debtors: readonly Debtor[]): (debtor: Debtor) => boolean {
  const times = new Map<string, number>();
  for (const debtor of debtors) times.set(name(debtor), (times.get(name(debtor)) ?? 0) + 1);
  return (debtor) => times.get(name(debtor)) === 1;
}

/** Names of the accounts, by debtor id; equal names are followed by the start of the debtor id. */
export function accountNames(debtors: readonly Debtor[]): ReadonlyMap<string, string> {
  const unique = isUnique(accountName, debtors);
  return new Map(
    debtors.map((debtor) => {
      const name = accountName(debtor);
      return [debtor.debtorId, unique(debtor) ? name : `${name} · ${shortId(debtor, debtors)}`];
    }),
  );
}

/** The start of a debtor id: eight characters, or as many more as distinguish it from the other ids. */
function shortId({ debtorId }: Debtor, debtors: readonly Debtor[]): string {
  const others = debtors.flatMap((other) => (other.debtorId === debtorId ? [] : [other.debtorId]));
  let length = 8;
  while (length < debtorId.length && others.some((other) => other.startsWith(debtorId.slice(0, length)))) length += 4;
  return debtorId.slice(0, length);
}

/** The hint of the execution date, which is requested in UTC: the day there, if it differs from the user's; '' otherwise. */
export function dateHint(today: string, now: Date): string {
  const utc = now.toISOString().slice(0, 10);
  return utc === today ? '' : `Paid at 00:00 UTC, where it is ${utc}`;
}

/** The bank accounts to pay from (behaviour, section 2): by name and last digits where these name one account only. */
export function bankAccountField(debtors: readonly Debtor[]): Field {
  const names = accountNames(debtors);
  const unique = isUnique(shortName, debtors);
  return choice({
    id: paymentChoices.bankAccount,
    label: 'Bank account',
    description: '',
    options: debtors.map((debtor) => {
      const search = names.get(debtor.debtorId) ?? '';
      return { value: debtor.debtorId, label: unique(debtor) ? shortName(debtor) : search, search };
    }),
    errorMessage: paymentMessages.noBankAccount,
  });
}

/** The templates of a bank file (behaviour, section 2: file payments). */
export const fileFormatField = (formats: readonly FileFormat[]): Field =>
  choice({
    id: 'fileFormat',
    label: 'Bank file template',
    description: 'The layout of the bank’s file; it determines which further data is required',
    options: distinctOptions(formats.map(({ fileFormatId, name }) => ({ value: fileFormatId, label: name }))),
    errorMessage: '',
  });

/** The amount (major units) with its currency, which is absent while no account is chosen. */
export const amountOf = ({ amount, currency }: Pick<Invoice, 'amount' | 'currency'>): string =>
  groupedAmounts(`${amount} ${currency}`.trim());

/** The standing of an invoice in a sentence, which ends with its time if that is told. */
export function standingText({ state, at, batchId }: Standing): string {
  if (at === undefined) return `${state === 'unknown' ? 'Outcome unknown: sent' : 'Paid'} by another user`;
  return state === 'unknown'
    ? 'Outcome unknown: sent on'
    : `${state === 'paid' ? 'Paid' : 'Failed'} in batch ${batchId} on`;
}

const standings = { paid: 'Paid', failed: 'Failed', unknown: 'Unknown' } as const;

/** The standing of an invoice as its badge says it; '' if it is open. */
export function standingBadge({ payment }: Invoice): string {
  if (!payment) return '';
  const { state, at, batchId } = payment;
  const word = state === 'unknown' ? 'Outcome unknown' : standings[state];
  if (at === undefined) return `${word}${state === 'unknown' ? ': sent' : ''} by another user`;
  return state !== 'unknown' && batchId !== undefined ? `${word} in ${batchId.slice(0, 8)}` : word;
}

/** The standing of an invoice in one word. */
export const standingOf = ({ payment }: Invoice): keyof typeof standingTones =>
  payment ? standings[payment.state] : 'Open';

/** The tones of these words. */
export const standingTones = { Paid: 'done', Failed: 'failed', Unknown: 'waiting', Open: 'idle' } as const;
