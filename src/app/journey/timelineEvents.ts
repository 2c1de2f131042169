import { locale } from '#contract/constants.ts';
import { jsonIn } from '#contract/json.ts';
import type { Made } from '#contract/facts.ts';
import { stageOf } from '#contract/status.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { returnsIn, saidOf } from '#rules/entryMarks.ts';
import { late } from '#rules/late.ts';
import { textAt } from '#rules/path.ts';
import { pathnameOf } from '#rules/url.ts';
import type { Tone } from '#ui/Badge.tsx';

/** One event in the history of a message or batch. */
export interface TimelineEvent {
  id: string;
  /** Time in ms since the epoch; NaN if it has not happened yet. */
  at: number;
  what: string;
  /** The call or webhook that reported it. */
  how: string;
  tone: Extract<Tone, 'done' | 'failed' | 'waiting' | 'partial' | 'back' | 'idle'>;
  /** The call or webhook that it is about; absent if that is not recorded. */
  entry?: TimelineEntry;
}

const inOrder = (entries: readonly TimelineEntry[]): TimelineEntry[] =>
  entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || Number(a.id) - Number(b.id));

const seconds = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The time between two events (ms) in words, for example "1.4 s". */
const after = (ms: number): string => `${seconds.format(Math.max(0, ms) / 1000)} s`;

/** When an entry has reported what it says (ms): a webhook at its arrival, a call with its answer. */
const reportedAt = ({ kind, at, ms }: TimelineEntry): number => Date.parse(at) + (kind === 'webhook' ? 0 : ms);

const asReported = (entries: readonly TimelineEntry[]): TimelineEntry[] =>
  entries.toSorted((a, b) => reportedAt(a) - reportedAt(b) || Number(a.id) - Number(b.id));

const inMs = (code: number | string, ms: number): string => `${code} · ${Math.round(ms)} ms`;

const succeeded = ({ status }: TimelineEntry): boolean => status >= 200 && status < 300;

const signatures = { valid: 'signature valid', invalid: 'signature invalid', '': 'not signed' } as const;

/** The marks of a call of the service: the request and its answer. */
function callMarks(entry: TimelineEntry): TimelineEvent[] {
  const { id, method, url, status, ms, reason, attempt } = entry;
  const at = Date.parse(entry.at);
  const answered =
    status === 0 ? 'No response' : status === 202 ? 'Accepted' : succeeded(entry) ? 'Response received' : 'Refused';
  return [
    {
      id: `${id} sent`,
      at,
      what: attempt > 1 ? 'Sent again' : 'Sent',
      how: `${method} ${pathnameOf(url)}`,
      tone: 'done',
      entry,
    },
    {
      id: `${id} answered`,
      at: at + ms,
      what: answered,
      how: inMs(status === 0 ? reason : status, ms),
      tone: succeeded(entry) ? 'done' : 'failed',
      entry,
    },
  ];
}

/** The marks of a webhook: its arrival with the check of its signature, and its storage. */
function webhookMarks(entry: TimelineEntry, sentAt: number | undefined): TimelineEvent[] {
  const { id, signature, status, ms } = entry;
  const at = Date.parse(entry.at);
  return [
    {
      id: `${id} received`,
      at,
      what: sentAt === undefined ? 'Webhook received' : `Webhook received after ${after(at - sentAt)}`,
      how: signatures[signature],
      tone: signature === 'valid' ? 'done' : 'failed',
      entry,
    },
    {
      id: `${id} stored`,
      at: at + ms,
      what: succeeded(entry) ? 'Stored' : 'Not stored',
      how: String(status),
      tone: succeeded(entry) ? 'done' : 'failed',
      entry,
    },
  ];
}

/**
 * The marks of a message: sent, accepted, webhook received, checked and stored. `entries` are those of its interaction.
 */
export function messageEvents(entries: readonly TimelineEntry[], since?: string): TimelineEvent[] {
  const all = inOrder(entries);
  const sent = all.filter(({ kind, method }) => kind === 'service' && method !== 'GET');
  const webhooks = all.filter(({ kind }) => kind === 'webhook');
  if (all.length === 0) return [];
  const start = sent[0]?.at ?? since;
  const sentAt = start === undefined ? undefined : Date.parse(start);
  const awaited: TimelineEvent = { id: 'awaited', at: NaN, what: 'Waiting for the webhook', how: '', tone: 'waiting' };
  return [
    ...(sent.length === 0 ? [missing('Sent', sentAt)] : sent.flatMap(callMarks)),
    ...webhooks.flatMap((entry) => webhookMarks(entry, sentAt)),
    ...(webhooks.length === 0 && sent.some(({ status }) => status === 202) ? [awaited] : []),
  ];
}

/** The member `data` of a body; an empty object if there is none. */
const dataIn = (body: string): { status?: unknown } =>
  (jsonIn(body) as { data?: object } | undefined | null)?.data ?? {}; // unvalidated; only its members are read

const statusIn = (body: string): string => {
  const { status } = dataIn(body);
  return typeof status === 'string' ? status : '';
};

const toneOfStatus = (status: string): TimelineEvent['tone'] =>
  stageOf(status) === 2
    ? 'back'
    : /^partially/i.test(status)
      ? 'partial'
      : /^(failed|rejected|cancelled)/i.test(status)
        ? 'failed'
        : 'done';

/** The first event of a history whose beginning is no longer recorded, with the time (ms) at which it happened. */
const missing = (what: string, at: number | undefined): TimelineEvent => ({
  id: 'missing',
  at: at ?? NaN,
  what: at === undefined ? 'What happened before is no longer recorded' : `${what}; the call is no longer recorded`,
  how: '',
  tone: 'done',
});

/** Whether an entry is a write to the service that it has accepted. */
const isPost = (entry: TimelineEntry): boolean =>
  entry.kind === 'service' && entry.method !== 'GET' && succeeded(entry);

/**
 * The states of a batch or subscription since it was sent, and the returns of its payments, each with the time when it was first reported; and webhooks that came late. `ending` is appended to the
 * name of the last state. `since`: when it was sent, if that is known without the entries.
 */
export function batchEvents(entries: readonly TimelineEntry[], ending = '', since?: string): TimelineEvent[] {
  const marks: TimelineEvent[] = [];
  const back = new Set<string>();
  let last: TimelineEvent | undefined;
  let said = '';
  for (const entry of asReported(entries.filter(succeeded))) {
    const { id, kind, status: code, ms, signature, request, response } = entry;
    const at = Date.parse(entry.at);
    const isPosting = isPost(entry);
    if (entry.late) {
      const what = [late.word, statusIn(request.body)].filter(Boolean).join(': ');
      marks.push({ id, at, what, how: 'webhook', tone: 'idle', entry });
      continue;
    }
    if (isPosting) marks.push({ id, at, what: 'Sent', how: inMs(code, ms), tone: 'done', entry });
    const status = statusIn(kind === 'webhook' ? request.body : response.body);
    const by = kind === 'webhook' ? `webhook${signature === 'valid' ? '' : `, ${signatures[signature]}`}` : isPosting ? 'answer' : `read, ${inMs(code, ms)}`; // prettier-ignore
    const returns = returnsIn(entry).filter(({ paymentId }) => !back.has(paymentId));
    for (const { paymentId } of returns) back.add(paymentId);
    if ((status !== '' && status !== said) || returns.length > 0) {
      const what = [status === said ? '' : status, saidOf(returns)].filter(Boolean).join(': ');
      const tone = returns.length > 0 ? 'back' : toneOfStatus(status);
      last = { id: `${id} ${status}`, at: reportedAt(entry), what, how: by, tone, entry };
      said = status || said;
      marks.push(last);
    } else if (last && status !== '' && kind === 'webhook' && !last.how.includes('webhook'))
      Object.assign(last, { how: by, entry });
  }
  // Not to one that came late: it says nothing of the last state.
  if (ending && last) last.what = `${last.what}, ${ending}`;
  const isWhole = marks.length === 0 || entries.some(isPost);
  return isWhole ? marks : [missing('Sent', since === undefined ? undefined : Date.parse(since)), ...marks];
}

/** Whether a webhook is about this record itself, not about one that belongs to it. */
export const isAbout = (id: string, { request: { body } }: TimelineEntry): boolean =>
  textAt(jsonIn(body), 'resource.id') === id;

/** The one event of a record that has no further states: the call that created it. */
export const creationEvent = ({ at, ms, status }: Made, call: TimelineEntry | undefined): TimelineEvent => ({
  id: 'sent',
  at: Date.parse(at),
  what: 'Sent',
  how: inMs(status, ms),
  tone: 'done',
  ...(call && { entry: call }),
});

/** The status that the provider's webhook reports for a message; '' before that. */
export function messageStatus(entries: readonly TimelineEntry[]): string {
  const last = inOrder(entries).findLast(({ kind }) => kind === 'webhook');
  return last ? statusIn(last.request.body) : '';
}
