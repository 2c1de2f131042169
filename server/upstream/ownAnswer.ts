import { isObject, jsonIn } from '#contract/json.ts';
import { memberOf } from '#contract/member.ts';
import type { Creation } from '#contract/serviceCalls.ts';
import { textAt } from '#rules/path.ts';
import { Failure } from '#server/failure.ts';
import { repeatedMember } from '#server/http/json.ts';
import type { Reply } from './http.ts';
import { unwrapped } from './replies.ts';
import { isOfAnother } from './verdict.ts';
import { header } from './wire.ts';

/** By which of its members an answer says to whose request it belongs. */
const ownMembers = ['externalId', 'subscriptionId', 'organisationId', 'companyId'] as const;

/** Maximum number of characters shown of a value. */
const shown = 200;

/** Hyphens and blanks within an id tell two requests apart; letter case does not. */
const isSame = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();

/** The text of a member in a body or its data, or in the attributes of these; the first one that differs from `than`. */
function statedIn(body: unknown, name: string, than?: string): string {
  const places = [body, unwrapped(body)].flatMap((place) => [place, memberOf(place, 'attributes')]);
  const texts = places.map((place) => textAt(place, name)).filter((text) => text !== '');
  return (than === undefined ? texts[0] : texts.find((text) => !isSame(text, than))) ?? '';
}

/**
 * Throws `upstream-invalid` if an answer belongs to another request: it has another interaction id, or states another
 * external id, subscription, organisation or company than was sent.
 */
export function requireOwnAnswer(reply: Reply, sent?: object): void {
  const { interactionId } = reply;
  const refuse = (path: string, mine: string, theirs: string): never => {
    const [own, other] = [mine.slice(0, shown), theirs.slice(0, shown)];
    throw new Failure(
      'upstream-invalid',
      `The answer is about another request: it has ${path} “${other}”, the request had “${own}”. It does not say whether this request took effect.`,
      { interactionId, errors: [{ path, message: `${other} was answered, ${own} was sent` }] },
    );
  };
  if (isOfAnother(reply)) refuse(header.interaction, interactionId, reply.header(header.interaction));
  const body = sent && jsonIn(reply.text);
  if (!isObject(body)) return;
  for (const name of ownMembers) {
    const own = statedIn(sent, name);
    const other = own === '' ? '' : statedIn(body, name, own);
    if (other !== '') refuse(name, own, other);
  }
}

/** Ignores letter case and separators: `batch_id` and `BatchID` are one name. */
const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]/g, '');

/** Returns the id at the end of a link to a resource of a collection; '' if it is no such link. */
export function idInLink(link: string, path: string): string {
  const collection = path.slice(path.lastIndexOf('/') + 1);
  const [, holder = '', id = ''] = /\/([\w-]+)\/([^/?#]+)\/?(?:[?#].*)?$/.exec(link) ?? [];
  if (holder.toLowerCase() !== collection) return '';
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Yields the places in a body that name the resource which it is about, with its id. An `id` does so at the top and in the data. */
function* idsIn(value: unknown, created: Creation, path = ''): Generator<[path: string, id: string]> {
  if (typeof value !== 'object' || value === null) return;
  const { member: name, collection } = created;
  for (const [key, part] of Object.entries(value)) {
    const here = path === '' ? key : `${path}.${key}`;
    const isOwn = name === 'id' ? ['id', 'data.id'].includes(here) : plainName(key) === name.toLowerCase();
    if (isOwn) yield [here, textAt(value, key)];
    if (key === 'self') yield [here, idInLink(textAt(value, key) || textAt(part, 'href'), collection)];
    yield* idsIn(part, created, here);
  }
}

/**
 * Throws `upstream-invalid` if an answer names several resources of the kind that a write creates: anywhere in its body,
 * in its link to itself or in a header; or if it has a member twice.
 */
export function requireOneCreated(reply: Reply, created: Creation): void {
  const refuse = (detail: string, path: string, message: string): never => {
    throw new Failure('upstream-invalid', `${detail} It does not say which of them this request has created.`, {
      interactionId: reply.interactionId,
      errors: [{ path, message }],
    });
  };
  const repeated = repeatedMember(reply.text)?.slice(0, shown);
  if (repeated !== undefined) refuse(`The answer has the member “${repeated}” twice.`, repeated, 'is there twice');
  const headers = ['location', 'content-location'].map(
    (name) => [name, idInLink(reply.header(name), created.collection)] as const,
  );
  const named = [...idsIn(jsonIn(reply.text), created), ...headers].filter(([, id]) => id.trim() !== '');
  const [first = ['', '']] = named;
  const second = named.find(([, id]) => !isSame(id, first[1]));
  if (!second) return;
  const [one, other] = [first[1].slice(0, shown), second[1].slice(0, shown)];
  refuse(
    `The answer names two: “${one}” (${first[0]}) and “${other}” (${second[0]}).`,
    second[0],
    `${other}, and ${one} at ${first[0]}`,
  );
}
