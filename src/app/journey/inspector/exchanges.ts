import type { CallName } from '#contract/calls.ts';
import { companyHeader } from '#contract/constants.ts';
import type { Facts } from '#contract/facts.ts';
import { header } from '#contract/requests/headers.ts';
import { operationAt } from '#contract/serviceCalls.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { pathnameOf } from '#rules/url.ts';

/** Maximum number of exchanges in the list. */
const most = 20;

const isToken = ({ method, url }: TimelineEntry): boolean => operationAt(method, pathnameOf(url)) === 'accessToken';

/** The company that a page shows, by which it tells its own calls from those of other companies. */
export type Owner = Pick<Facts, 'companyKey' | 'made' | 'settings'>;

/** Whether a request names no other organisation or company than the current one. */
const isOwn = ({ request: { headers } }: TimelineEntry, { settings }: Owner): boolean =>
  [headers[header.organisation] ?? settings.organisationId, headers[header.company] ?? settings.companyId].join() ===
  [settings.organisationId, settings.companyId].join();

/** The requests to a path of the service for this company, or for none, newest first. */
export const exchangesAt = (entries: readonly TimelineEntry[], address: string, owner: Owner): TimelineEntry[] =>
  entries
    .filter((entry) => entry.kind === 'service' && pathnameOf(entry.url).endsWith(address) && isOwn(entry, owner))
    .slice(0, most);

/** Calls that are made for one company, and create another. */
const creatingOwner: readonly string[] = ['createOrganisation', 'createCompany'] satisfies CallName[];

/**
 * The requests to the service for a page's own calls in this company, newest first. Leaves out readings of the facts and
 * tokens, and what has created another organisation or company.
 */
export function exchangesOf(
  entries: readonly TimelineEntry[],
  calls: readonly CallName[],
  { companyKey, made }: Owner,
): TimelineEntry[] {
  const current = new Set(Object.values(made).map(({ interactionId }) => interactionId));
  const isOfCompany = ({ name, status, interactionId, request: { headers } }: TimelineEntry) =>
    current.has(interactionId) ||
    (headers[companyHeader] === companyKey && !(creatingOwner.includes(name) && status === 200));
  const own = new Set(
    entries.flatMap((entry) =>
      entry.kind === 'call' && calls.some((call) => call === entry.name) && isOfCompany(entry)
        ? [entry.interactionId]
        : [],
    ),
  );
  const isSent = ({ kind, interactionId }: TimelineEntry) => kind === 'service' && own.has(interactionId);
  return entries.filter((entry) => isSent(entry) && !isToken(entry)).slice(0, most);
}

/** Ids in an exchange that its webhooks may refer to, first that of what it created. */
export function idsIn({ url, request, response }: TimelineEntry): string[] {
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
