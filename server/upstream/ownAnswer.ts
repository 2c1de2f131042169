import { isObject, jsonIn } from '#contract/json.ts';
import { totalsByCurrency } from '#rules/batch.ts';
import { Failure } from '#server/failure.ts';
import type { Reply } from './http.ts';
import { isScalar, membersIn } from './members.ts';
import { isOfAnother } from './verdict.ts';
import { header } from './wire.ts';

/** A member of an answer that has another value than the request. */
interface Contradiction {
  path: string;
  sent: string;
  answered: string;
}

/** Members of a request that a service may write differently, and that identify nothing. */
const notCompared = /date|time|^type$|^status$|^links$/i;

/** Members that are numbers, whatever their digits. */
const isNumeric = /(amount|sum|payments|count|transactions)$/i;

/** Maximum number of characters shown of a value. */
const shown = 200;

/** Whether a service has hidden a part of the value. */
const isMasked = (text: string): boolean => /[*•]/.test(text);

/** Returns a decimal without superfluous zeros; undefined if the text is none. */
function decimalOf(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(text.trim()) ?? [];
  if (whole === '') return undefined;
  return `${sign === '-' ? '-' : ''}${whole.replace(/^0+(?=\d)/, '')}.${fraction.replace(/0+$/, '')}`;
}

/** Texts that differ in nothing but letter case and blanks are one, and codes of digits also without their hyphens. */
function compact(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '');
  return /^[\d-]+$/.test(plain) ? plain.replaceAll('-', '') : plain;
}

function isSame(name: string, sent: string, answered: string): boolean {
  // The caller’s own name of a request: a hyphen or blank in it, or a part of it, tells two requests apart.
  if (name === 'externalId') return sent.trim().toLowerCase() === answered.trim().toLowerCase();
  if (isMasked(answered) || compact(sent) === compact(answered)) return true;
  const [one, other] = isNumeric.test(name) ? [decimalOf(sent), decimalOf(answered)] : [];
  return one !== undefined && one === other;
}

/** A text that contains JSON, as `additionalData` does, as its contents. */
const contentsOf = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*[{[]/.test(value) ? (jsonIn(value) ?? value) : value;

/** Returns the first contradiction between lists of payments, which the service may list in another order. */
function contradictionOfPayments(path: string, sent: readonly unknown[], answered: readonly unknown[]) {
  if (sent.length !== answered.length)
    return { path: `${path}.length`, sent: String(sent.length), answered: String(answered.length) };
  const agree = (one: unknown, other: unknown) => contradictionIn(one, other) === undefined;
  const moved = sent.flatMap((each, index) => (agree(each, answered[index]) ? [] : [index]));
  const free = new Set(moved);
  for (const index of moved) {
    const found = [...free].find((at) => agree(sent[at], answered[index]));
    if (found === undefined) return contradictionIn(sent[index], answered[index], `${path}.${index}`);
    free.delete(found);
  }
  return undefined;
}

/** Returns the first member that an answer repeats with another value than was sent; undefined if there is none. */
function contradictionIn(sentValue: unknown, answeredValue: unknown, path = ''): Contradiction | undefined {
  const [sent, answered] = [contentsOf(sentValue), contentsOf(answeredValue)];
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (isScalar(sent) && isScalar(answered)) {
    const [one, other] = [String(sent), String(answered)];
    return other === '' || isSame(name, one, other) ? undefined : { path, sent: one, answered: other };
  }
  if (Array.isArray(sent) && Array.isArray(answered) && name === 'payments')
    return contradictionOfPayments(path, sent, answered);
  if (typeof sent !== 'object' || typeof answered !== 'object' || Array.isArray(sent) !== Array.isArray(answered))
    return undefined;
  for (const [member, value] of Object.entries(sent ?? {})) {
    if (notCompared.test(member) || !Object.hasOwn(answered ?? {}, member)) continue;
    const other = (answered as Record<string, unknown>)[member]; // has it
    const found = contradictionIn(value, other, path === '' ? member : `${path}.${member}`);
    if (found) return found;
  }
  return undefined;
}

/** Returns what an answer may repeat of a batch: its members, the number of its payments, and their sum. */
export function batchFacts(batch: { payments: { instructedAmount: { amount: string; currency: string } }[] }) {
  const { length } = batch.payments;
  const [total, ...others] = totalsByCurrency(batch.payments.map(({ instructedAmount }) => instructedAmount));
  const sum = total && others.length === 0 ? total.amount : undefined;
  return {
    ...batch,
    ...{ numberOfPayments: length, paymentCount: length, numberOfTransactions: length },
    ...(sum !== undefined && { totalAmount: sum, controlSum: sum }),
  };
}

/**
 * Throws `upstream-invalid` if an answer belongs to another request: its header names one, or it repeats a member that
 * was sent with another value.
 */
export function requireOwnAnswer(reply: Reply, sent: object, answered: unknown): void {
  const { interactionId } = reply;
  const other = isOfAnother(reply)
    ? { path: header.interaction, sent: interactionId, answered: reply.header(header.interaction) }
    : (contradictionIn(sent, isObject(answered) ? answered['data'] : undefined) ?? contradictionIn(sent, answered));
  if (!other) return;
  const [mine, theirs] = [other.sent.slice(0, shown), other.answered.slice(0, shown)];
  throw new Failure(
    'upstream-invalid',
    `The answer is about another request: it has ${other.path} “${theirs}”, the request had “${mine}”. It does not say whether this request took effect.`,
    { interactionId, errors: [{ path: other.path, message: `${theirs} was answered, ${mine} was sent` }] },
  );
}

/** Ids of what writes create, by their plain names, and the collections in whose links they stand. */
const createdIds = new Map([
  ['batchid', 'batchpayments'],
  ['subscriptionid', 'subscriptions'],
  ['organisationid', 'organisations'],
  ['companyid', 'companies'],
]);

/** Returns the id at the end of a link to a resource of a collection; undefined if it is no such link. */
function idInLink(link: unknown, collection: string): string | undefined {
  const end = /\/([\w-]+)\/([^/?#]+)\/?(?:[?#].*)?$/.exec(typeof link === 'string' ? link : '');
  const [, holder = '', id = ''] = end ?? [];
  if (holder.toLowerCase() !== collection) return undefined;
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/**
 * Throws `upstream-invalid` if an answer names several resources of the kind that a write creates: anywhere in its body,
 * in its link to itself, or in the header `Location`.
 */
export function requireOneCreated(reply: Reply): void {
  const body = jsonIn(reply.text);
  const named = new Map<string, { path: string; id: string }>();
  const note = (name: string, path: string, value: unknown): void => {
    if (!isScalar(value) || String(value).trim() === '') return;
    const id = String(value).trim();
    const first = named.get(name) ?? { path, id };
    named.set(name, first);
    if (first.id.toLowerCase() === id.toLowerCase()) return;
    const [one, other] = [first.id.slice(0, shown), id.slice(0, shown)];
    throw new Failure(
      'upstream-invalid',
      `The answer names two: “${one}” (${first.path}) and “${other}” (${path}). It does not say which of them this request has created.`,
      { interactionId: reply.interactionId, errors: [{ path, message: `${other}, and ${one} at ${first.path}` }] },
    );
  };
  const links: [string, unknown][] = [['location', reply.header('location')]];
  for (const { path, name, value } of membersIn(body)) {
    if (createdIds.has(name)) note(name, path, value);
    if (['id', 'data.id'].includes(path)) note('id', path, value);
    if (name === 'self') links.push([path, isObject(value) ? value['href'] : value]);
  }
  for (const [path, link] of links)
    for (const [name, collection] of createdIds) if (named.has(name)) note(name, path, idInLink(link, collection));
}
