import type { CallName } from '#contract/calls.ts';
import { endpoints } from '#contract/requests/endpoints.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { pathnameOf } from '#rules/url.ts';

/** Maximum number of exchanges in the list. */
const most = 20;

const isToken = ({ url }: TimelineEntry): boolean => pathnameOf(url).endsWith(endpoints.accessToken);

/** The requests to a path of the service, newest first. */
export const exchangesAt = (entries: readonly TimelineEntry[], address: string): TimelineEntry[] =>
  entries.filter(({ kind, url }) => kind === 'service' && pathnameOf(url).endsWith(address)).slice(0, most);

/** The requests to the service for a page's own calls, newest first. Leaves out readings of the facts and tokens. */
export function exchangesOf(entries: readonly TimelineEntry[], calls: readonly CallName[]): TimelineEntry[] {
  const own = new Set(
    entries.flatMap(({ kind, name, interactionId }) =>
      kind === 'call' && calls.some((call) => call === name) ? [interactionId] : [],
    ),
  );
  const isOwn = ({ kind, interactionId }: TimelineEntry) => kind === 'service' && own.has(interactionId);
  return entries.filter((entry) => isOwn(entry) && !isToken(entry)).slice(0, most);
}

/** Ids in an exchange that its webhooks may refer to. */
function idsIn({ url, request, response }: TimelineEntry): string[] {
  const named = /"(?:batchId|subscriptionId|debtorId|creditorId|id)"\s*:\s*"([^"\\]{8,})"/g;
  const inAnswer = [...response.body.matchAll(named)].map(([, id]) => id ?? '').slice(0, 3);
  const [subject] = /"(?:batchId|debtorId|creditorId|id)"\s*:\s*"([^"\\]{8,})"/.exec(request.body)?.slice(1) ?? [];
  return [...inAnswer, ...(subject ? [subject] : []), ...idRead(url)];
}

/** The id at the end of a URL's path, as a list; empty if there is none. */
function idRead(url: string): string[] {
  const last = pathnameOf(url).split('/').at(-1) ?? '';
  return /[\da-f]{8}-/.test(last) ? [last] : [];
}

/**
 * The webhooks that answer an exchange or refer to what it created; for a reading of a resource, all that refer to that
 * resource. Newest first.
 */
export function webhooksOf(exchange: TimelineEntry | undefined, webhooks: readonly TimelineEntry[]): TimelineEntry[] {
  if (!exchange) return [];
  const { interactionId, at, method, url } = exchange;
  const reads = method === 'GET';
  const ids = reads ? idRead(url) : idsIn(exchange);
  return webhooks.filter(
    (each) =>
      each.answers === interactionId ||
      each.interactionId === interactionId ||
      (each.answers === '' && (reads || each.at >= at) && ids.some((id) => each.request.body.includes(id))),
  );
}
