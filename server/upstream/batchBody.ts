import type { BatchRequest, Payment } from '#contract/entities.ts';
import { ExactNumber, stringify } from '#contract/json.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/** What says nothing: '', null, {} and an object of such. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (isObject(value) && Object.values(value).every(isEmpty));

/** An object without its empty members; lists stay as they are. */
const filled = <T extends object>(value: T): T =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      isEmpty(member) ? [] : [[name, isObject(member) && name !== 'additionalData' ? filled(member) : member]],
    ),
  ) as T; // the members that are left out are optional

/** A text that holds JSON, as the service has it in subscriptions, batches and payments (wire, sections 5.1 and 12). */
const asText = <T extends { additionalData?: unknown }>({ additionalData, ...rest }: T) => ({
  ...rest,
  ...(additionalData !== undefined && {
    additionalData: typeof additionalData === 'string' ? additionalData : stringify(additionalData),
  }),
});

/** The payee by its id at the provider, or by its address for whoever has no such id: never both. */
function payee({ creditor }: Payment, isFile: boolean): Payment['creditor'] {
  const { creditorId, postalAddress, ...rest } = creditor;
  if (postalAddress && (isFile || creditorId === undefined)) return { ...rest, postalAddress };
  return creditorId === undefined ? rest : { ...rest, creditorId };
}

/**
 * A batch as the service takes it (wire, section 5.3): routed by its file format or by its subscription, each payee by id or
 * by address, additional data as text, and nothing that is empty.
 */
export function batchBody(batch: BatchRequest): Record<string, unknown> {
  const { subscriptionId, fileFormatId, payments, ...rest } = batch;
  const isFile = fileFormatId !== undefined;
  const route = isFile ? { fileFormatId } : subscriptionId === undefined ? {} : { subscriptionId };
  return {
    ...asText(filled(rest)),
    ...route,
    payments: payments.map((each) => {
      const payment = filled(each);
      return asText({ ...payment, creditor: payee(payment, isFile) });
    }),
  };
}
