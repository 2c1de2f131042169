import { isObject, jsonIn } from '#contract/json.ts';
import { header } from '#contract/requests/headers.ts';
import { creationOf, messageKinds, operationAt, proofs, serviceCall, type Created } from '#contract/serviceCalls.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { keyOf } from '#rules/timeline.ts';
import { pathnameOf } from '#rules/url.ts';
import { isCall } from './collection.ts';

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

/** Those of these calls of the service that have brought a company from nothing to its last batch, in their order. */
export function wayOf(entries: readonly TimelineEntry[], ends: WayEnds): TimelineEntry[] {
  const read = [ends.subscriptionId, ends.batchId].filter(isGiven);
  return entries
    .filter(({ status }) => status >= 200 && status < 300)
    .filter((entry) => {
      const path = pathnameOf(entry.url);
      if (operationAt(entry.method, path) === 'accessToken') return isOwnToken(entry, ends);
      return entry.method === 'GET' ? read.some((id) => path.endsWith(`/${id}`)) : isOwnWrite(entry, ends);
    })
    .sort((one, other) => Number(one.id) - Number(other.id));
}

const operationOf = ({ method, url }: TimelineEntry) => operationAt(method, pathnameOf(url));
const textOf = ({ url, request }: TimelineEntry): string => `${url}\n${request.body}`;

/** The id of what a write has created, by its answer; '' if it has created nothing. */
function createdBy({ response: { body } }: TimelineEntry, member: string): string {
  const answer = Object(jsonIn(body)) as Record<string, unknown>;
  const within = isObject(answer['data']) ? answer['data'] : answer;
  const id = within[member] ?? answer[member];
  return typeof id === 'string' ? id : '';
}

/** What a call is sent with: the token of a company or an organisation; '' for neither. */
function tokenIn(entry: TimelineEntry): string {
  const name = operationOf(entry);
  const proof: { by?: string; token?: string } = name ? proofs[serviceCall(name).proof] : {};
  return proof.token ?? '';
}

/** The ids that a message's sender has chosen for what it puts. */
const chosenIn = ({ request: { body } }: TimelineEntry): string[] =>
  [...body.matchAll(/"(?:debtor|creditor)Id"\s*:\s*"([^"]+)"/g)].map(([, id]) => id ?? '');

/**
 * The calls that a recorded call needs, in their order: those that have created what it names and obtained its token, and the
 * messages about the debtors and creditors that it names. `entries` are in their order.
 */
export function wayTo(entry: TimelineEntry, entries: readonly TimelineEntry[]): TimelineEntry[] {
  const key = keyOf(entry);
  const before = entries.filter((each) => Number(each.id) < Number(entry.id) && (key === '' || keyOf(each) !== key));
  const accepted = before.filter((each) => isCall(each) && each.status >= 200 && each.status < 300);
  const named = (kind: string, texts: string): { id: string; by?: TimelineEntry } => {
    for (const by of accepted.toReversed()) {
      const creation = creationOf(operationOf(by) ?? '');
      const id = creation?.kind === kind ? createdBy(by, creation.member) : '';
      if (id !== '' && texts.includes(id)) return { id, by };
    }
    return { id: '' };
  };
  const text = textOf(entry);
  const subscription = named('subscription', text);
  const sender = subscription.by ?? entry;
  const token = accepted.findLast(({ request: { headers }, ...each }) => {
    if (operationAt(each.method, pathnameOf(each.url)) !== 'accessToken' || Number(each.id) > Number(sender.id))
      return false;
    const organisation = headers[header.organisation] ?? '';
    const isForCompany = (headers[header.company] ?? '') !== '';
    const isOther = /\/organisations\/[^/]+\//.test(sender.url) && !sender.url.includes(organisation);
    return !isOther && isForCompany === (tokenIn(sender) === 'company');
  });
  const of = tokenIn(sender) === '' || tokenIn(sender) === 'user' ? undefined : token?.request.headers;
  const organisationId = of?.[header.organisation] ?? entry.request.headers[header.organisation] ?? '';
  const ends = {
    organisationId,
    companyId: of?.[header.company] ?? entry.request.headers[header.company] ?? '',
    accountId:
      tokenIn(entry) === 'user' ? named('account', accepted.map(({ response }) => response.body).join('\n')).id : '',
    dataSetId: named('dataset', text).id,
    subscriptionId: subscription.id,
    batchId: '',
  };
  const known = new Set<string>();
  return wayOf(accepted, ends).filter((each) => {
    const name = operationOf(each);
    if (each.method === 'GET') return false;
    if (name === 'accessToken') {
      const owner = `${each.request.headers[header.organisation] ?? ''} ${each.request.headers[header.company] ?? ''}`;
      return !known.has(owner) && known.add(owner);
    }
    const isMessage = messageKinds.some((kind) => kind === name) && name !== 'updates';
    return !isMessage || chosenIn(each).some((id) => text.includes(id));
  });
}
