import { setImmediate as othersTurn } from 'node:timers/promises';
import StandardDecimal from 'decimal.js-light';
import { textAt } from '#rules/path.ts';
import { comparison } from '#server/companies/comparableText.ts';

/** Where a payment states what identifies it, as sent and as the service lists it. */
const places = {
  reference: 'remittanceInformation.reference',
  amount: 'instructedAmount.amount',
  currency: 'instructedAmount.currency',
  creditorId: 'creditor.creditorId',
  name: 'creditor.name',
  account: 'creditorAccount.identification',
  secondAccount: 'creditorAccount.secondaryIdentification',
  text: 'remittanceInformation.unstructured',
} as const;
const names = Object.keys(places) as (keyof typeof places)[]; // its own keys

/** What identifies a payment; '' for what it does not state. */
export type Identification = Record<keyof typeof places, string>;

export const identificationOf = (payment: object): Identification =>
  Object.fromEntries(names.map((name) => [name, textAt(payment, places[name])])) as Identification; // of all names

const Decimal = StandardDecimal.clone({ precision: 80 });

/** Returns an amount without insignificant zeros; what is no decimal number equals no amount. */
const plainAmount = (amount: string): string => {
  const text = amount.trim();
  return /^\d{1,40}(\.\d{1,40})?$/.test(text) ? new Decimal(text).toString() : text && `not a number: ${text}`;
};

/** Ignores letter case, spacing, separators, and how characters are encoded. */
const comparable = (identification: Identification): string[] =>
  names.map((name) => (name === 'amount' ? plainAmount : comparison.number)(identification[name]));

/** Whether nothing that both state differs. */
const fits = (one: readonly string[], other: readonly string[]): boolean =>
  one.every((text, index) => text === '' || other[index] === '' || other[index] === text);

/** Sent payments and the listed ones that fit them, by index, such that none fits a payment of another group. */
export interface Group {
  sent: number[];
  listed: number[];
}

/** Number of listed payments that are compared before other requests get their turn. */
const comparedAtOnce = 50;

/**
 * Finds the sent payments that each listed payment can be, by what identifies them and never by position. Payments that
 * cannot be told apart are in one group. `strangers` are the listed payments that fit none.
 */
export async function matchListed(
  sent: readonly Identification[],
  listed: readonly Identification[],
): Promise<{ groups: Group[]; strangers: number[] }> {
  const sentTexts = sent.map(comparable);
  const leaders = sent.map((_, index) => index);
  const leaderOf = (index: number): number => {
    const leader = leaders[index]!; // of a sent payment
    return leader === index ? index : (leaders[index] = leaderOf(leader));
  };
  const strangers: number[] = [];
  const firstFits = new Map<number, number>();
  for (const [position, each] of listed.entries()) {
    if (position % comparedAtOnce === comparedAtOnce - 1) await othersTurn();
    const texts = comparable(each);
    const found = sentTexts.flatMap((other, index) => (fits(texts, other) ? [index] : []));
    const [first] = found;
    if (first === undefined) strangers.push(position);
    else firstFits.set(position, first);
    for (const index of found) leaders[leaderOf(index)] = leaderOf(first!); // found is not empty
  }
  const groups = new Map<number, Group>();
  for (const index of sent.keys()) {
    const group = groups.get(leaderOf(index)) ?? { sent: [], listed: [] };
    group.sent.push(index);
    groups.set(leaderOf(index), group);
  }
  for (const [position, first] of firstFits) groups.get(leaderOf(first))!.listed.push(position); // each has a group
  return { groups: [...groups.values()], strangers };
}

/** Whether a list can be that of the payments sent: as many of each, and no other. */
export async function isListOf(sent: readonly object[], listed: readonly object[]): Promise<boolean> {
  if (sent.length !== listed.length) return false;
  const { groups } = await matchListed(sent.map(identificationOf), listed.map(identificationOf));
  return groups.every((group) => group.sent.length === group.listed.length);
}
