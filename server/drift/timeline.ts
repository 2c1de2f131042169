import type { Drift } from '#contract/description.ts';
import type { TimelineEntry, TimelineMessage } from '#contract/timeline.ts';
import { describedAt } from '#server/upstream/operations.ts';
import { compare } from './compare.ts';
import type { Exchange, ReceivedBody } from './exchange.ts';
import { receivedBody, unaskedCoding } from './receivedBody.ts';
import { notCompared } from './reports.ts';

const bodyOf = ({ body, encoding, truncated, headers }: TimelineMessage): ReceivedBody =>
  receivedBody({ body, encoding, isCut: truncated === true, headers });

/** The exchange of an entry; undefined if it is none of the service's. */
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
  if (kind === 'webhook') return { kind, at, entry, body: bodyOf(request) };
  if (kind === 'call' || !URL.canParse(url)) return undefined;
  const path = new URL(url).pathname;
  if (describedAt(method, path) === undefined) return undefined;
  return {
    kind: 'answer',
    at,
    entry,
    method,
    path,
    status,
    type: response.headers['content-type'] ?? '',
    body: bodyOf(response),
    ...unaskedCoding(request.headers, response.headers),
  };
}

/** Compares entries of the timeline, oldest first, with the description of the service. */
export function driftIn(entries: readonly TimelineEntry[]): Drift {
  const exchanged = entries.map(exchangeOf).filter((each) => each !== undefined);
  const { findings, compared, uncompared } = compare(exchanged);
  return {
    differences: findings.map(({ entry = '', ...finding }) => ({ ...finding, entry })),
    compared: Object.values(compared).reduce((sum, each) => sum + each, 0),
    since: exchanged.find(({ body }) => typeof body === 'string')?.at ?? '',
    left: uncompared.map(notCompared),
  };
}
