import type { Drift } from '#contract/description.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { counted } from '#rules/counted.ts';
import { operationAt } from '#server/description/described.ts';
import { compare } from './compare.ts';
import type { Exchange } from './exchange.ts';

/** The exchange of an entry; 'cut' if it was recorded in part or is no text, undefined if it is none of the service's. */
function exchangeOf({
  id: entry,
  kind,
  at,
  method,
  url,
  status,
  request,
  response,
}: TimelineEntry): Exchange | 'cut' | undefined {
  if (kind === 'webhook')
    return request.truncated || request.encoding ? 'cut' : { kind, at, entry, body: request.body };
  if (kind === 'call' || !URL.canParse(url)) return undefined;
  const path = new URL(url).pathname;
  if (operationAt(method, path) === undefined) return undefined;
  if (response.truncated || response.encoding) return 'cut';
  const type = response.headers['content-type'] ?? '';
  return { kind: 'answer', at, entry, method, path, status, type, body: response.body };
}

/** Compares entries of the timeline, oldest first, with the description of the service. */
export function driftIn(entries: readonly TimelineEntry[]): Drift {
  const exchanged = entries.map(exchangeOf);
  const whole = exchanged.filter((each) => each !== undefined && each !== 'cut');
  const { findings, compared } = compare(whole);
  const cut = exchanged.filter((each) => each === 'cut').length;
  return {
    differences: findings.map(({ entry = '', ...finding }) => ({ ...finding, entry })),
    compared: Object.values(compared).reduce((sum, each) => sum + each, 0),
    since: whole[0]?.at ?? '',
    left: cut > 0 ? [`${counted(cut, 'entry', 'entries')} recorded in part, which cannot be compared.`] : [],
  };
}
