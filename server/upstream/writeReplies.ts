import { jsonIn } from '#contract/json.ts';
import { memberOf } from '#contract/member.ts';
import type { FailureCode } from '#contract/problem.ts';
import { creationOf, type CreatingCall, type Creation } from '#contract/serviceCalls.ts';
import { textAt } from '#rules/path.ts';
import { Failure } from '#server/failure.ts';
import { repeatedMember } from '#server/http/json.ts';
import type { Reply } from './http.ts';
import { answerOf, describedIn, evidenceOf, ofConnections, requireSuccess, unwrapped } from './replies.ts';
import type { Answered } from './replies.ts';
import { flawOfRefusal } from './strict.ts';
import { isOfAnother, verdictOf, verdictOfStatus } from './verdict.ts';
import { header } from './wire.ts';

/** Maximum number of characters returned of the service's own sentence, and of an id. */
const [shown, shownOfId] = [10_000, 200];

/** Codes of answers that keep their status although they do not decide a write; others become `upstream-invalid`. */
const undecided: Partial<Record<number, FailureCode>> = { 409: 'upstream-conflict', 429: 'upstream-busy' };

/** Returns the failure of a write whose answer does not say whether it took effect. */
function undecidedBy(reply: Reply): Failure {
  const { status } = reply;
  const { detail, errors } = describedIn(reply);
  const said = ofConnections[status] ?? `answered with status ${status}${detail === undefined ? '.' : `: ${detail}`}`;
  const flaw = verdictOfStatus(status) === 'refused' ? flawOfRefusal(reply) : '';
  const why = flaw && ` It is not a refusal in the form that is documented: it ${flaw}.`;
  const code = undecided[status];
  return new Failure(
    code ?? 'upstream-invalid',
    `The payments service ${said.slice(0, shown).replace(/(?<![.!?…])$/, '.')}${why} This does not say whether the request took effect.`,
    { ...(code && { status }), ...evidenceOf(reply, errors) },
  );
}

/**
 * Throws a Failure unless the answer to a write says that it was done (verdict.ts). Throws as `requireSuccess` does for
 * a refusal that is believed, for redirects and for 5xx.
 */
function requireDone(reply: Reply): void {
  requireOwnInteraction(reply);
  const verdict = verdictOf(reply);
  if (verdict === 'done') return;
  const { status } = reply;
  if (verdict === 'refused' || status >= 500 || (status >= 300 && status < 400)) requireSuccess(reply);
  throw undecidedBy(reply);
}

/** Hyphens and blanks within an id tell two requests apart; letter case does not. */
const isSame = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();

/** Returns the first text of a member that differs from another one: in a body, its data, or the attributes of these. */
const otherThan = (own: string, body: unknown, name: string): string | undefined =>
  [body, unwrapped(body)]
    .flatMap((place) => [place, memberOf(place, 'attributes')])
    .map((place) => textAt(place, name))
    .find((text) => text !== '' && !isSame(text, own));

function refuseOther({ interactionId }: Reply, path: string, mine: string, theirs: string): never {
  const [own, other] = [mine.slice(0, shownOfId), theirs.slice(0, shownOfId)];
  throw new Failure(
    'upstream-invalid',
    `The answer is about another request: it has ${path} “${other}”, the request had “${own}”. It does not say whether this request took effect.`,
    { interactionId, errors: [{ path, message: `${other} was answered, ${own} was sent` }] },
  );
}

/** Throws `upstream-invalid` if an answer has the interaction id of another request. */
function requireOwnInteraction(reply: Reply): void {
  const name = header.interaction;
  if (isOfAnother(reply)) refuseOther(reply, name, reply.interactionId, reply.headers[name] ?? '');
}

/**
 * Throws `upstream-invalid` if an answer belongs to another request: it has another interaction id, or states another
 * external id, subscription, organisation or company than was sent.
 */
export function requireOwnAnswer(reply: Reply, sent: object, body = jsonIn(reply.text)): void {
  requireOwnInteraction(reply);
  for (const name of ['externalId', 'subscriptionId', 'organisationId', 'companyId']) {
    const own = textAt(sent, name) || textAt(memberOf(sent, 'attributes'), name);
    const other = own === '' ? undefined : otherThan(own, body, name);
    if (other !== undefined) refuseOther(reply, name, own, other);
  }
}

/** Returns the id at the end of a link to a resource of a collection; '' if it is no such link. */
export function idInLink(link: string, path: string): string {
  const collection = path.slice(path.lastIndexOf('/') + 1);
  const [, holder = '', id = ''] = /\/([\w-]+)\/([^/?#<>"]+)\/?(?:[?#>"].*)?$/.exec(link) ?? [];
  if (holder.toLowerCase() !== collection) return '';
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** A name without letter case and separators. */
const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]/g, '');

/**
 * Yields the places in a body that name what a write has created: each member of its name, and each link to itself, which is
 * any text within a member `self`, or beside the relation `self`.
 */
function* idsIn(value: unknown, created: Creation, path = '', isSelf = false): Generator<[place: string, id: string]> {
  if (typeof value !== 'object' || value === null) return;
  const { member, collection } = created;
  const isLink = isSelf || plainName(textAt(value, 'rel')) === 'self';
  for (const [name, part] of Object.entries(value)) {
    const place = path === '' ? name : `${path}.${name}`;
    const plain = plainName(name);
    // Whatever else there is may have an id too.
    if (member === 'id' ? ['id', 'data.id'].includes(place) : plain === member.toLowerCase())
      yield [place, textAt(value, name)];
    const isOfSelf = isLink || plain === 'self';
    if (isOfSelf) yield [place, idInLink(textAt(value, name), collection)];
    yield* idsIn(part, created, place, isOfSelf);
  }
}

/** Yields the headers that name what a write has created: each link, also of several in one, and each header of its name. */
function* idsInHeaders(
  headers: Reply['headers'],
  { member, collection }: Creation,
): Generator<[place: string, id: string]> {
  for (const [name, value] of Object.entries(headers)) {
    if (member !== 'id' && plainName(name).endsWith(member.toLowerCase())) yield [name, value];
    for (const link of value.split(',')) yield [name, idInLink(link.trim(), collection)];
  }
}

/** Throws `upstream-invalid` if an answer names two resources, in its body or any header, or has a member twice. */
function requireOneCreated({ text, headers, interactionId }: Reply, body: unknown, created: Creation): void {
  const refuse = (detail: string, path: string, message: string): never => {
    throw new Failure('upstream-invalid', `${detail} It does not say which of them this request has created.`, {
      interactionId,
      errors: [{ path, message }],
    });
  };
  const repeated = repeatedMember(text)?.slice(0, shownOfId);
  if (repeated !== undefined) refuse(`The answer has the member “${repeated}” twice.`, repeated, 'is there twice');
  const named = [...idsIn(body, created), ...idsInHeaders(headers, created)].filter(([, id]) => id.trim() !== '');
  const [[place, first] = ['', '']] = named;
  const [elsewhere, second] = named.find(([, id]) => !isSame(id, first)) ?? [];
  if (elsewhere === undefined || second === undefined) return;
  const [one, other] = [first.slice(0, shownOfId), second.slice(0, shownOfId)];
  refuse(
    `The answer names two: “${one}” (${place}) and “${other}” (${elsewhere}).`,
    elsewhere,
    `${other}, and ${one} at ${place}`,
  );
}

/**
 * Reads the answer to a write that creates something, as `answerOf` does. `sent`: what the request says of itself
 * (`requireOwnAnswer`). Throws as `requireDone` does, and `upstream-invalid` if the answer is about another request, or
 * names two resources.
 */
export function createdBy<Call extends CreatingCall>(reply: Reply, call: Call, sent: object): Answered<Call> {
  requireDone(reply);
  const answer = answerOf(reply, call);
  const body = jsonIn(reply.text);
  requireOwnAnswer(reply, sent, body);
  requireOneCreated(reply, body, creationOf(call));
  return answer;
}

/** Like `requireDone`, for a write that creates nothing: its answer may have a body, which must not name another one. */
export function requireOwnDone(reply: Reply, sent: object): void {
  requireDone(reply);
  requireOwnAnswer(reply, sent);
}
