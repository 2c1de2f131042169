import { parse as parseForm } from 'node:querystring';
import { isObject, jsonIn } from '#contract/json.ts';
import type { AskedPayment, Invoice, ServiceReading } from '#server/programs/checks/evidence.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import type { Mapping } from './mapping.ts';

type Answer = Mapping['reads'][number]['answer'];

/** The names by which the checks know the calls of a service, whatever they are called there. */
const operations = { writes: 'createBatch', reads: 'batch', tokens: 'accessToken' } as const;

/** Returns the member at a place, its names joined by dots; undefined if there is none. */
const memberAt = (value: unknown, place: string): unknown =>
  place.split('.').reduce<unknown>((found, name) => (isObject(found) ? found[name] : undefined), value);

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : isObject(value) ? JSON.stringify(value) : '';

/** Returns the value of a body: of a form, its fields. */
function bodyOf({ headers, body }: Pick<RecordedCall, 'headers' | 'body'>): unknown {
  const isForm = (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  return isForm ? { ...parseForm(body) } : jsonIn(body);
}

/** Returns the payments in a value: those of its list, or the whole. */
function paymentsAt(value: unknown, place: string | undefined): unknown[] {
  if (place === undefined) return [value];
  const list = memberAt(value, place);
  return Array.isArray(list) ? list : [];
}

/** Returns the text that identifies a payment: that of an invoice if one of its members has it, or all of them. */
function identityOf(payment: unknown, places: readonly string[], invoices: readonly Invoice[]): string {
  const parts = places.map((place) => textOf(memberAt(payment, place)));
  return parts.find((part) => invoices.some(({ id, reference }) => [id, reference].includes(part))) ?? parts.join(' ');
}

/** Returns how the calls of a mapped service are read. */
export function readingOf(mapping: Mapping): ServiceReading & {
  operationOf: (method: string, path: string) => string | undefined;
  /** Returns the id of what a write has created; '' if its answer has none. */
  createdBy: (call: Pick<RecordedCall, 'method' | 'path'>, body: string) => string;
  /** Returns the identity and the status of each payment in an answer; '' identifies that of the whole. */
  statusesBy: (call: RecordedCall, invoices: readonly Invoice[]) => [identity: string, status: string][];
} {
  const { writes, reads, tokens, statuses } = mapping;
  const found = <Entry extends { call: Mapping['writes'][number]['call'] }>(
    entries: readonly Entry[],
    { method, path }: Pick<RecordedCall, 'method' | 'path'>,
  ): Entry | undefined => entries.find(({ call }) => call.method === method && call.path.test(path));

  /** Translates a status into one of the sandbox. */
  const said = (status: string): string =>
    statuses.paid.includes(status) ? 'Completed' : statuses.failed.includes(status) ? 'Failed' : 'Processing';
  const answerTo = (call: RecordedCall): Answer | undefined => (found(writes, call) ?? found(reads, call))?.answer;

  function statusesBy(call: RecordedCall, invoices: readonly Invoice[]): [string, string][] {
    const { status, payments, identifiedBy = [] } = answerTo(call) ?? {};
    if (status === undefined) return [];
    return paymentsAt(jsonIn(call.response.body), payments).flatMap((payment): [string, string][] => {
      const value = memberAt(payment, status);
      return typeof value === 'string' ? [[identityOf(payment, identifiedBy, invoices), said(value)]] : [];
    });
  }

  const createdBy = (call: Pick<RecordedCall, 'method' | 'path'>, body: string): string =>
    textOf(memberAt(jsonIn(body), found(writes, call)?.answer.id ?? ''));

  return {
    keyHeader: mapping.idempotencyKey.toLowerCase(),
    credentialHeaders: mapping.credentialHeaders.map((name) => name.toLowerCase()),
    operationOf(method, path) {
      const call = { method, path };
      if (found(writes, call)) return operations.writes;
      if (found(reads, call)) return operations.reads;
      return found(tokens, call) && operations.tokens;
    },
    paymentsIn(call, invoices): AskedPayment[] {
      const write = found(writes, call);
      if (!write) return [];
      return paymentsAt(bodyOf(call), write.payments).map((payment) => ({
        amount: '',
        currency: '',
        creditorId: '',
        reference: identityOf(payment, write.identifiedBy, invoices),
      }));
    },
    statusesIn: (call) => statusesBy(call, []).map(([, status]) => status),
    statusesBy,
    createdBy,
    batchIn(call) {
      const read = found(reads, call);
      return read ? (read.call.path.exec(call.path)?.at(-1) ?? '') : createdBy(call, call.response.body);
    },
    tokenIn: (call) => textOf(memberAt(jsonIn(call.response.body), found(tokens, call)?.token ?? '')),
  };
}

export type Reading = ReturnType<typeof readingOf>;
