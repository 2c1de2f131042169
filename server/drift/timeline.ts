import type { Drift } from '#contract/description.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { counted } from '#rules/counted.ts';
import { operationAt } from '#server/description/described.ts';
import { compare } from './compare.ts';
import type { Exchange } from './exchange.ts';

/** The exchange of an entry; undefined if it is none of the service's. What is no text counts as recorded in part. */
function exchangeOf({
  id: entry,
  kind,
  at,
  method,
  url,
  status,
  request,
  response,
}: TimelineEntry): Exchange | undefined {
  if (kind === 'webhook')
    return request.truncated || request.encoding
      ? { kind: 'cut', at, call: '' }
      : { kind, at, entry, body: request.body };
  if (kind === 'call' || !URL.canParse(url)) return undefined;
  const path = new URL(url).pathname;
  const call = operationAt(method, path);
  if (call === undefined) return undefined;
  if (response.truncated || response.encoding) return { kind: 'cut', at, call };
  const type = response.headers['content-type'] ?? '';
  return { kind: 'answer', at, entry, method, path, status, type, body: response.body };
}

/** Compares entries of the timeline, oldest first, with the description of the service. */
export function driftIn(entries: readonly TimelineEntry[]): Drift {
  const exchanged = entries.map(exchangeOf).filter((each) => each !== undefined);
  const { findings, compared } = compare(exchanged);
  const cut = exchanged.filter(({ kind }) => kind === 'cut').length;
  return {
    differences: findings.map(({ entry = '', ...finding }) => ({ ...finding, entry })),
    compared: Object.values(compared).reduce((sum, each) => sum + each, 0),
    since: exchanged.find(({ kind }) => kind !== 'cut')?.at ?? '',
    left: cut > 0 ? [`${counted(cut, 'entry', 'entries')} recorded in part, which cannot be compared.`] : [],
  };
}
