import { isObject, jsonIn } from '#contract/json.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { operationAt } from '#contract/serviceCalls.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { pathnameOf } from '#rules/url.ts';

/** The members of a batch that lead to the link of its file (wire, section 5.4.1). */
export const linkPath = ['links', 'paymentFile'] as const;

/** Whether a part of the address was masked, so that nobody can send the call as it was recorded. */
export const hasSecretAddress = ({ url }: TimelineEntry): boolean =>
  /\$TOKEN|%24TOKEN/.test(url) || url.includes(encodeURI(secretIsSet)) || url.includes(secretIsSet);

/** Whether a read of a batch gave the link of its file; of a body that was cut it is not known. */
function givesLink({ method, url, status, response: { body, truncated } }: TimelineEntry): boolean {
  if (status !== 200 || operationAt(method, pathnameOf(url)) !== 'batch') return false;
  const [outer, inner] = linkPath;
  const { [outer]: links } = Object(jsonIn(body)) as Record<string, unknown>;
  return truncated ?? (isObject(links) && typeof links[inner] === 'string');
}

const batchIn = ({ url }: TimelineEntry): string => pathnameOf(url).split('/').at(-1) ?? '';

/**
 * Returns which read gives each download its link, both by their ids: the latest before it of the batch that its address names,
 * or of its own interaction, or of the only batch that has given one. A download of which that is not known is absent.
 */
export function fileLinksIn(entries: readonly TimelineEntry[]): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  const reads: TimelineEntry[] = [];
  for (const entry of entries) {
    if (givesLink(entry)) reads.push(entry);
    else if (entry.method === 'GET' && hasSecretAddress(entry)) {
      const segments = pathnameOf(entry.url).split('/');
      const isOnly = new Set(reads.map(batchIn)).size === 1;
      const read =
        reads.findLast((each) => segments.includes(batchIn(each))) ??
        reads.findLast(({ interactionId }) => interactionId === entry.interactionId) ??
        (isOnly ? reads.at(-1) : undefined);
      if (read) links.set(entry.id, read.id);
    }
  }
  return links;
}
