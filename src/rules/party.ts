import type { Creditor, Debtor } from '#contract/party.ts';
import type { Json } from '#contract/json.ts';
import type { Form, Values } from './field.ts';
import { textAt, valueAt } from './path.ts';
import type { JsonObject } from '#contract/json.ts';

/**
 * A debtor as it was put (wire, section 6.1: nested) under the flat names of the specification's section 3.
 * What the body does not say is ''.
 */
export const flatDebtor = (body: JsonObject): Debtor => ({
  debtorId: textAt(body, 'debtorId'),
  debtorAccountname: textAt(body, 'debtorAccount.name'),
  debtorAgentidentification: textAt(body, 'debtorAgent.identification'),
  debtorAccountidentification: textAt(body, 'debtorAccount.identification'),
  currency: textAt(body, 'currency'),
  subscriptionId: textAt(body, 'subscriptionId'),
});

/** A creditor as it was put, under the flat names; see flatDebtor. */
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

/** The bodies of the list of this name in the data of a webhook that answers a query; none if there is no such list. */
const listedIn = (data: Json | undefined, name: 'debtors' | 'creditors'): JsonObject[] => {
  const listed = isBody(data) ? data[name] : undefined;
  return Array.isArray(listed) ? listed.filter(isBody) : [];
};

export const debtorsIn = (data: Json | undefined): Debtor[] => listedIn(data, 'debtors').map(flatDebtor);
export const creditorsIn = (data: Json | undefined): Creditor[] => listedIn(data, 'creditors').map(flatCreditor);

/** What a put says beside the form's values; its idempotency key is the party's id, so that a repeat names the same one. */
export const putOf = <Id extends 'debtorId' | 'creditorId'>(
  id: Id,
  body: JsonObject,
  key: string,
  subscriptionId: string,
) => ({ ...body, [id]: key, subscriptionId }) as JsonObject & Record<Id | 'subscriptionId', string>; // made with these

/** What a debtor's or a creditor's body calls it, '' if it says nothing. */
export const nameOfParty = (body: JsonObject): string =>
  textAt(body, 'debtorAccount.name') || textAt(body, 'creditor.name');

/** The values of a form that would make this body; what the body does not say is left out. */
export const valuesIn = ({ fields }: Form, body: JsonObject): Values =>
  Object.fromEntries(
    fields.flatMap(({ id, paths: [path = id] }) => {
      const value = valueAt(body, path);
      return typeof value === 'string' || typeof value === 'boolean' ? [[id, String(value)]] : [];
    }),
  );
