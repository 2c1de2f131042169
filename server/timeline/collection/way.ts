import { header } from '#contract/requests/headers.ts';
import { creationOf, operationAt, type Created } from '#contract/serviceCalls.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { pathnameOf } from '#rules/url.ts';

/** The ids to which a company's way has led; '' for what there is not. */
interface WayEnds {
  organisationId: string;
  companyId: string;
  accountId: string;
  dataSetId: string;
  subscriptionId: string;
  batchId: string;
}

const endOf = {
  organisation: 'organisationId',
  company: 'companyId',
  account: 'accountId',
  dataset: 'dataSetId',
  subscription: 'subscriptionId',
  batch: 'batchId',
} as const satisfies Record<Created, keyof WayEnds>;

const isGiven = (id: string): boolean => id !== '';

/** Whether a token was obtained for the company, or for its organisation to create the company. */
function isOwnToken({ request: { headers } }: TimelineEntry, { organisationId, companyId }: WayEnds): boolean {
  const company = headers[header.company] ?? '';
  return company === '' ? headers[header.organisation] === organisationId : company === companyId;
}

/** Whether a write has created what the way has led to, or is a message about its subscription. */
function isOwnWrite(entry: TimelineEntry, ends: WayEnds): boolean {
  const { method, url, request, response } = entry;
  const path = pathnameOf(url);
  const creation = creationOf(operationAt(method, path) ?? '');
  const id = creation ? ends[endOf[creation.kind]] : ends.subscriptionId;
  return isGiven(id) && (creation ? response.body.includes(`"${id}"`) : `${path} ${request.body}`.includes(id));
}

/** The calls that have brought a company from nothing to its last batch, in their order. */
export function wayOf(entries: readonly TimelineEntry[], ends: WayEnds): TimelineEntry[] {
  const read = [ends.subscriptionId, ends.batchId].filter(isGiven);
  return entries
    .filter(({ kind, status }) => kind === 'service' && status >= 200 && status < 300)
    .filter((entry) => {
      const path = pathnameOf(entry.url);
      if (operationAt(entry.method, path) === 'accessToken') return isOwnToken(entry, ends);
      return entry.method === 'GET' ? read.some((id) => path.endsWith(`/${id}`)) : isOwnWrite(entry, ends);
    })
    .sort((one, other) => Number(one.id) - Number(other.id));
}
