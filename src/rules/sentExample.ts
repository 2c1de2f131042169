import type { Facts } from '#contract/facts.ts';
import { isObject, jsonIn, stringify, type Json } from '#contract/json.ts';
import { operationOf, proofs, serviceCall, type ServiceOperation } from '#contract/serviceCalls.ts';
import { isBlank } from '#contract/text.ts';
import type { DescribedOperation, Part } from './description.ts';
import type { Values } from './field.ts';

/** Examples of the described operations, which are sent to the sandbox (behaviour, section 10.26). */

/** What is sent of an operation: the values of its path and query by name, and its body as it is typed. */
export interface Example {
  operation: DescribedOperation;
  values: Values;
  body: string;
  /** Null until they are read. */
  facts: Facts | null;
}

/** The operation of a described one, which may have several methods; undefined for a webhook. */
export const operationIn = ({ method, address }: DescribedOperation): ServiceOperation | undefined =>
  operationOf(method, address.replaceAll(/[{}]/g, ''));

/** The parameters in the path or the query of an operation. */
export const placesIn = ({ parameters }: DescribedOperation, sent: readonly string[] = ['path', 'query']): Part[] =>
  parameters.filter((part) => sent.includes(part.sent));

const known = ({ settings, login }: Facts): Values => ({
  organisationId: settings.organisationId,
  companyId: settings.companyId,
  subscriptionId: settings.subscriptionId,
  providerId: settings.providerId,
  batchId: settings.batchId,
  country: settings.providerCountry,
  identityId: login?.subject ?? '',
});

/** A value in which members that name what is known, are that. */
function withKnown(value: Json, names: Values): Json {
  if (Array.isArray(value)) return value.map((each) => withKnown(each, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      (typeof each === 'string' && Object.hasOwn(names, name) && names[name]) || withKnown(each, names),
    ]),
  );
}

/** The values of an example before anything is typed: what the company has, and `today` (YYYY-MM-DD) where a day is asked for. */
export function valuesOf(
  operation: DescribedOperation,
  facts: Facts | null,
  today: string,
): Pick<Example, 'values' | 'body'> {
  const names: Values = { ...(facts && known(facts)), requestedExecutionDateTime: `${today}T00:00:00Z` };
  return {
    values: Object.fromEntries(placesIn(operation).map(({ place }) => [place, names[place] ?? ''])),
    body: operation.body ? stringify(withKnown(operation.body.example, names), 2) : '',
  };
}

/** What the credentials of an operation are of, if the company lacks it; otherwise ''. */
function lackingOwner(operation: ServiceOperation, { settings, userToken }: Facts): string {
  const proof: { by: string; token?: string } = proofs[serviceCall(operation).proof];
  if (proof.token === 'user') return userToken ? '' : 'a user token';
  if (proof.by === 'organisationSignature' || proof.token === 'company')
    if (settings.organisationId === '') return 'an organisation';
  return proof.token === 'company' && settings.companyId === '' ? 'a company' : '';
}

/** Returns why an example is not sent; '' if it may be. */
export function notSent({ operation, values, body, facts }: Example): string {
  const sent = operationIn(operation);
  if (!facts) return 'What the company has is being read.';
  if (facts.environment !== 'sandbox') return 'Only a console with a sandbox sends examples.';
  if (!sent) return 'The service sends it.';
  if (serviceCall(sent).proof === 'link') return 'Its address comes in a response of the service.';
  const owner = lackingOwner(sent, facts);
  if (owner) return `It needs ${owner}.`;
  const lacking = placesIn(operation).filter(({ place, isRequired }) => isRequired && isBlank(values[place] ?? ''));
  if (lacking.length > 0) return `It needs ${lacking.map(({ place }) => place).join(' and ')}.`;
  return operation.body && jsonIn(body) === undefined ? 'Its body is not JSON.' : '';
}
