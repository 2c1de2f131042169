import { endpoints, header } from '#contract/requests/endpoints.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { pathnameOf } from '../url.ts';

/** The ids to which a company's way has led; '' for what there is not. */
interface WayEnds {
  organisationId: string;
  companyId: string;
  accountId: string;
  dataSetId: string;
  subscriptionId: string;
  batchId: string;
}

const isGiven = (id: string): boolean => id !== '';

/** Whether a token was obtained for the company, or for its organisation to create the company. */
function isOwnToken({ request: { headers } }: TimelineEntry, { organisationId, companyId }: WayEnds): boolean {
  const company = headers[header.company] ?? '';
  return company === '' ? headers[header.organisation] === organisationId : company === companyId;
}

/** Whether a write has created what the way has led to, or is a message about its subscription. */
function isOwnWrite(entry: TimelineEntry, ends: WayEnds): boolean {
  const { url, request, response } = entry;
  const path = pathnameOf(url);
  const { organisationId, companyId, accountId, dataSetId, subscriptionId, batchId } = ends;
  const creates = (...ids: string[]) => ids.filter(isGiven).some((id) => response.body.includes(`"${id}"`));
  if (path.endsWith(endpoints.createOrganisation)) return creates(organisationId);
  if (path.endsWith(endpoints.createCompany)) return creates(companyId);
  if (path.endsWith(endpoints.batches)) return creates(batchId);
  if (path.endsWith('/subscriptions')) return creates(subscriptionId);
  return (
    creates(accountId, dataSetId) || (isGiven(subscriptionId) && `${path} ${request.body}`.includes(subscriptionId))
  );
}

/** The calls that have brought a company from nothing to its last batch, in their order. */
export function wayOf(entries: readonly TimelineEntry[], ends: WayEnds): TimelineEntry[] {
  const read = [ends.subscriptionId, ends.batchId].filter(isGiven);
  return entries
    .filter(({ kind, status }) => kind === 'service' && status >= 200 && status < 300)
    .filter((entry) => {
      const path = pathnameOf(entry.url);
      if (path.endsWith(endpoints.accessToken)) return isOwnToken(entry, ends);
      return entry.method === 'GET' ? read.some((id) => path.endsWith(`/${id}`)) : isOwnWrite(entry, ends);
    })
    .sort((one, other) => Number(one.id) - Number(other.id));
}
