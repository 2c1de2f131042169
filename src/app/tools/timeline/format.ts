import { callPurposes, servicePurpose, webhookPurpose } from '#contract/purposes.ts';
import { member } from '#contract/member.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { pathnameOf, pathOf } from '#rules/url.ts';
import { clockTime, dayOfYear, preciseTime } from '#ui/dates.ts';

export const kindWords = { call: 'console', service: 'service', webhook: 'hook', program: 'your program' } as const;

/** Path and query; for a webhook, its event and signature. */
export function addressOf({ kind, url, name, signature }: TimelineEntry): string {
  if (kind === 'webhook') return [name || 'refused', signature && `signature ${signature}`].filter(Boolean).join(' · ');
  return pathOf(url);
}

/** The purpose of an entry in one sentence; '' if it is unknown. */
export function purposeOf({ kind, name, method, url }: TimelineEntry): string {
  if (kind === 'call') return member(callPurposes, name) ?? '';
  return kind === 'webhook' ? webhookPurpose(name) : servicePurpose(method, pathnameOf(url));
}

/** The colour token for a status. */
export function toneOf({ kind, status }: TimelineEntry): string {
  if (status === 0 || status >= 400) return 'failed';
  return kind === 'webhook' ? 'fg.muted' : 'done';
}

export const statusOf = ({ status }: TimelineEntry): string => (status === 0 ? 'none' : String(status));

/** Common reason phrases (RFC 9110). */
const phrases: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
export const statusLine = ({ status, reason }: TimelineEntry): string =>
  status === 0
    ? `No response${reason && `: ${reason}`}`
    : [status, reason || phrases[status]].filter(Boolean).join(' ');

/** Local time to the millisecond; for another day, day, month, and the time to the second. */
export function timeOf(at: string, now = Date.now()): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return date.toDateString() === new Date(now).toDateString()
    ? preciseTime(date)
    : `${dayOfYear(date)} ${clockTime(date)}`;
}

/** A duration (ms) in words: `58 ms`, `1.4 s`. */
export const durationOf = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
