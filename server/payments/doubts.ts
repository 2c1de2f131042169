import type { Batch } from '#contract/batch.ts';
import { jsonIn } from '#contract/json.ts';
import { memberOf } from '#contract/member.ts';
import { isFailure, isKnownStatus } from '#contract/status.ts';
import { textAt } from '#rules/path.ts';
import { isSameId } from '#server/companies/companyList.ts';
import { repeatedMember } from '#server/http/json.ts';
import type { Skipped } from '#server/upstream/lenientParse.ts';
import { isScalar, membersIn, plainName } from '#server/upstream/members.ts';
import type { SentPayment } from './records.ts';

/** Maximum number of characters shown of a value. */
const shown = 100;

/** Members that count or affirm payments that were made. */
const saysPaid = /(?<!un|not|in)(?:completed|settled|paid|executed|succeeded|successful)(?!at|on|date|time)/;

/** A status of HTTP, which says nothing about a batch. */
const isOfHttp = (text: string): boolean => /^[1-5]\d\d$/.test(text);

/** Whether a part of the list of payments could not be read. `skipped` ends with a number if it is too long. */
const isIncomplete = (skipped: readonly Skipped[]): boolean =>
  skipped.some(({ path }) => path === '' || /^data\.payments(\.\d+)?$/.test(path));

/** Whether a part of an answer has a member under another spelling of this name too, so that it is not known which holds. */
const isSpelledTwice = (holder: object, name: string): boolean =>
  Object.keys(holder).some((each) => each !== name && plainName(each) === name);

/**
 * Returns where a part of an answer states a status that is no failure, lists payments or counts some as made, or names a batch with another id
 * than `batchId`, except at its own `places` for these; undefined if it does not.
 */
function statedElsewhere(part: unknown, places: readonly string[], batchId = ''): string | undefined {
  for (const { path, name, value } of membersIn(part, places)) {
    if (name === 'payments' && typeof value === 'object' && value !== null && Object.keys(value).length > 0)
      return path;
    const isStatus = /(?:status|state)$/.test(name);
    const text = isScalar(value) ? String(value) : '';
    if (isStatus && typeof value === 'object' && value !== null && text === '') return path;
    if (text.trim() === '') continue;
    if (isStatus ? !isFailure(text) && !isOfHttp(text) : isKnownStatus(text) && !isFailure(text))
      return `${path} “${text.slice(0, shown)}”`;
    if (saysPaid.test(name) && (value === true || Number(text) > 0)) return `${path} “${text.slice(0, shown)}”`;
    if (name === 'batchid' && batchId !== '' && !isSameId(text, batchId)) return `${path} “${text.slice(0, shown)}”`;
  }
  return undefined;
}

/**
 * Returns why an answer is not about the batch that was sent, whose id the service may have returned to two writes; ''
 * if nothing says so.
 */
export function otherBatchIn(batch: object, sent: readonly SentPayment[] = []): string {
  const { externalId = '', subscriptionId = '' } = sent[0]?.ofBatch ?? {};
  const differs = Object.entries({ externalId, subscriptionId }).find(([name, own]) => {
    const answered = textAt(batch, name);
    return own !== '' && answered !== '' && !isSameId(answered, own);
  });
  return differs ? `The service answered with another ${differs[0]} than was sent.` : '';
}

/**
 * Returns why an answer does not decide that invoices of its batch have failed: it says several things, or cannot be read
 * completely; '' if nothing says so. `text` is the answer as sent.
 */
export function doubtIn(
  batch: Pick<Batch, 'status' | 'payments'>,
  { skipped, text }: { skipped: readonly Skipped[]; text: string },
): string {
  if (['status', 'payments'].some((name) => isSpelledTwice(batch, name)))
    return 'The service states the status or the payments of the batch under two names.';
  const repeated = repeatedMember(text);
  if (repeated !== undefined) return `The service’s answer has the member ${JSON.stringify(repeated)} twice.`;
  if (isIncomplete(skipped)) return 'A part of the service’s list of payments cannot be read.';
  const elsewhere = statedElsewhere(jsonIn(text), ['data.status', 'data.payments'], textAt(batch, 'batchId'));
  return elsewhere === undefined
    ? ''
    : `The service’s answer also has ${elsewhere}, which is not where a batch states what became of it.`;
}

/** The status of a listed payment. One that states none has that of its batch; what is not understood is no failure. */
export function statusIn(payment: object, ofBatch: string): string {
  if (isSpelledTwice(payment, 'status') || statedElsewhere(payment, ['status']) !== undefined) return 'unreadable';
  const stated = memberOf(payment, 'status');
  return stated === undefined || stated === null ? ofBatch : textAt(payment, 'status') || 'unreadable';
}
