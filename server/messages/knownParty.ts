import type { Creditor } from '#contract/party.ts';
import type { JsonObject } from '#contract/json.ts';
import { flatCreditor, flatDebtor } from '#rules/party.ts';
import { comparison } from '#server/companies/comparableText.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { creditors, debtors } from '#server/companies/records.ts';
import type { MessageKind } from '#server/upstream/wire.ts';

/** Whether two parties have the same values of these members, however they are written. */
const agree = <Party extends Readonly<Record<string, string>>>(one: Party, other: Party, members: (keyof Party)[]) =>
  members.every((name) => comparison.number(one[name] ?? '') === comparison.number(other[name] ?? ''));

const [ofDebtors, ofCreditors] = [
  ['debtorAccountname', 'debtorAgentidentification', 'debtorAccountidentification', 'currency'] as const,
  ['creditorname', 'creditorAgentidentification', 'creditorAccountidentification'] as const,
];
const address = [
  'creditorAddress1',
  'creditorAddress3',
  'creditorCountrySubDivision',
  'creditorCountryCode',
  'creditorPostalCode',
] as const;

/** The members of which two creditors with the same values are one. */
const ofCreditor = ({ creditorAccountidentification: account }: Pick<Creditor, 'creditorAccountidentification'>) =>
  comparison.number(account) === '' ? [...ofCreditors, ...address] : [...ofCreditors];

/**
 * Whether two puts of a kind would create the same debtor or creditor: with the same name, sort code and account; a debtor
 * also with the same currency, and a creditor without an account with the same address.
 */
export function isSameParty(kind: MessageKind, one: JsonObject, other: JsonObject): boolean {
  if (kind === 'debtoraccountputs') return agree(flatDebtor(one), flatDebtor(other), [...ofDebtors]);
  const given = flatCreditor(one);
  return kind === 'creditorputs' && agree(given, flatCreditor(other), ofCreditor(given));
}

/** Returns the stored debtor or creditor of the subscription that a put would create once more; undefined if there is none. */
export async function knownParty(
  store: Store,
  kind: MessageKind,
  data: JsonObject,
  subscriptionId: string,
): Promise<{ id: string; name: string } | undefined> {
  const where = { subject: subscriptionId };
  if (kind === 'debtoraccountputs') {
    const given = flatDebtor(data);
    const found = (await store.records(debtors).list(where)).find((each) => agree(given, each, [...ofDebtors]));
    return found && { id: found.debtorId, name: found.debtorAccountname };
  }
  if (kind !== 'creditorputs') return undefined;
  const given = flatCreditor(data);
  const alias = comparison.number(given.creditorAccountidentification);
  const listed = await store.records(creditors).list(alias === '' ? where : { ...where, alias });
  const found = listed.find((each) => agree(given, each, ofCreditor(given)));
  return found && { id: found.creditorId, name: found.creditorname };
}
