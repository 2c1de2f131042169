import type { Creditor, Debtor } from '#contract/party.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { textAt } from './path.ts';

/** Flattens a debtor's nested body (wire, section 6.1) to the names of behaviour, section 3. Missing values are ''. */
export const flatDebtor = (body: JsonObject): Debtor => ({
  debtorId: textAt(body, 'debtorId'),
  debtorAccountname: textAt(body, 'debtorAccount.name'),
  debtorAgentidentification: textAt(body, 'debtorAgent.identification'),
  debtorAccountidentification: textAt(body, 'debtorAccount.identification'),
  currency: textAt(body, 'currency'),
  subscriptionId: textAt(body, 'subscriptionId'),
});

/** Flattens a creditor's body; see flatDebtor. */
export const flatCreditor = (body: JsonObject): Creditor => ({
  creditorId: textAt(body, 'creditorId'),
  creditorname: textAt(body, 'creditor.name'),
  creditorAgentidentification: textAt(body, 'creditorAgent.identification'),
  creditorAccountidentification: textAt(body, 'creditorAccount.identification'),
  creditorAccountSecondaryIdentification: textAt(body, 'creditorAccount.secondaryIdentification'),
  creditorAddress1: textAt(body, 'creditor.postalAddress.addressLine1'),
  creditorAddress3: textAt(body, 'creditor.postalAddress.addressLine3'),
  creditorCountrySubDivision: textAt(body, 'creditor.postalAddress.countrySubdivision'),
  creditorCountryCode: textAt(body, 'creditor.postalAddress.countryCode'),
  creditorPostalCode: textAt(body, 'creditor.postalAddress.postalCode'),
  subscriptionId: textAt(body, 'subscriptionId'),
});

const isBody = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

/** Returns the list with this name from the data of a webhook that answers a query; [] if there is none. */
const listedIn = (data: Json | undefined, name: 'debtors' | 'creditors'): JsonObject[] => {
  const listed = isBody(data) ? data[name] : undefined;
  return Array.isArray(listed) ? listed.filter(isBody) : [];
};

export const debtorsIn = (data: Json | undefined): Debtor[] => listedIn(data, 'debtors').map(flatDebtor);
export const creditorsIn = (data: Json | undefined): Creditor[] => listedIn(data, 'creditors').map(flatCreditor);

/** A put: the form's values, preceded by the party's id, which a repeat names as well, and the subscription's. */
export const putOf = <Id extends 'debtorId' | 'creditorId'>(
  name: Id,
  body: JsonObject,
  id: string,
  subscriptionId: string,
) => {
  const ids = { [name]: id, subscriptionId } as Record<Id | 'subscriptionId', string>; // its only members
  return { ...ids, ...body, ...ids };
};

/** Returns the name in a debtor's or creditor's body; '' if there is none. */
export const nameOfParty = (body: JsonObject): string =>
  textAt(body, 'debtorAccount.name') || textAt(body, 'creditor.name');
