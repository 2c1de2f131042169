import { createHash } from 'node:crypto';
import { ExactNumber, isObject, stringify } from '#contract/json.ts';
import { pause, type Clock } from '#server/clock.ts';
import { createSingleFlight } from '#server/concurrency.ts';
import { bodyDiff, outlineOf, type Outline } from './bodyDiff.ts';
import { Failure } from '#server/failure.ts';
import { createRetryWindows, type KeyLife } from './retryWindow.ts';
import { outcomeOf, requireKeyValid, settledOutcomeOf, type WriteAttempt } from './writeOutcome.ts';
import type { IdempotencyKeys } from '#server/storage/idempotencyKeys.ts';
import type { Location } from '#server/storage/schema.ts';

/**
 * Result of claiming an idempotency key. `fresh`: a new key; `repeated`: the first attempt has no known answer, so the
 * request is sent again; `waited`: the first attempt was in progress, and its answer was awaited; `replayed`: the
 * stored answer was returned; `conflict`: the key belongs to another request; `unknown`: the outcome can no longer be
 * known, so nothing is sent.
 */
export type ClaimOutcome = 'fresh' | 'repeated' | 'waited' | 'replayed' | 'conflict' | 'unknown';

interface Outcome {
  answer: unknown;
  /** True if the answer is that of an earlier or concurrent request with this key. */
  replayed: boolean;
}

/**
 * Runs a request once per idempotency key, across all servers. A concurrent repeat waits for the running request; a
 * later one gets the stored answer. If nothing was sent under the key, or the only request was refused, the key is
 * released. After any other failure, or a crash, a repeat runs the request again: `run` must send the same idempotency
 * key to the service, which honours it for a time from the first attempt (`life`); the repeat's `attempt` is then in
 * doubt, whatever becomes of it. Rejects with `outcome-unknown`, without sending, if that time is
 * over or the claim cannot be read, because the request could be executed twice. Rejects with `idempotency-conflict` if
 * the key was used for another request.
 *
 * `run` gets the text under which an earlier version stored the company and the key, if one did.
 */
export type Idempotency = (
  at: Location,
  key: string,
  fingerprint: string,
  attempt: WriteAttempt,
  run: (former?: string) => Promise<unknown>,
  /** Absent if a repeat does no harm at any time. */
  life?: Pick<KeyLife, 'keyTtl' | 'serviceClock'>,
) => Promise<Outcome>;

/**
 * Returns the failure for a key that was used for another request; `before` and `now` are fingerprints. Names the
 * differences if both are from `describedFingerprintOf`.
 */
function conflict(before: string, now: string): Failure {
  const [one, other] = [before, now].map((each) => each.slice(each.indexOf(' ') + 1));
  const used = 'This idempotency key came with another request before';
  const advice = 'Use a new key, or send the same request again.';
  if (!one?.startsWith('{') || !other?.startsWith('{'))
    return new Failure('idempotency-conflict', `${used}. ${advice}`);
  const [first, second] = [one, other].map((each) => JSON.parse(each) as Description); // written below
  if (!first || !second || first.name !== second.name)
    return new Failure('idempotency-conflict', `${used}: ${first?.name}. ${advice}`);
  const { paths, more } = bodyDiff(first.parts, second.parts);
  const others = more > 0 ? `, and ${more} more` : '';
  return new Failure(
    'idempotency-conflict',
    `${used}. It differs in ${paths.map((path) => path || 'the body').join(', ')}${others}. ${advice}`,
    { errors: paths.map((path) => ({ path: path || 'body', message: 'differs from the request that came first' })) },
  );
}

/** The prefix of the keys under which writes are claimed; other keys are those of webhooks, for example. */
export const writeKeyPrefix = 'write/';

/** Interval (ms) at which a claim is polled while another server works on it. */
const retryDelay = 100;

/** Creates an `Idempotency`. Calls `count` once for each call, with the result of the claim. */
export function createIdempotency(
  keys: IdempotencyKeys,
  clock: Clock,
  count: (found: ClaimOutcome) => void = () => undefined,
): Idempotency {
  const writes = createSingleFlight<Outcome, { fingerprint: string; attempt: WriteAttempt }>();
  const retryWindowOf = createRetryWindows(clock);

  /** Claims a key; waits while another server works on it. */
  async function claimed(at: Location, key: string, fingerprint: string) {
    for (let waited = false; ; waited = true) {
      const steady = clock.steady();
      const claim = await keys.claim(at, key, fingerprint);
      if (claim.state !== 'locked') return { claim, waited, steady };
      await pause(clock, retryDelay);
    }
  }

  async function runClaimed(...[at, key, fingerprint, attempt, run, life]: Parameters<Idempotency>): Promise<Outcome> {
    const { claim, waited, steady } = await claimed(at, key, fingerprint).catch(async (error: unknown) => {
      // Without its claim it is not known whether this is a repeat; the claim may still be readable.
      attempt.inDoubt = await keys.exists(at, key).catch(() => true);
      throw error;
    });
    attempt.isClaimed = true;
    if (claim.state === 'completed') {
      count(waited ? 'waited' : 'replayed');
      attempt.inDoubt = true;
      return { answer: claim.response, replayed: true };
    }
    if (claim.state === 'conflict' || claim.state === 'unreadable') {
      count(claim.state === 'conflict' ? 'conflict' : 'unknown');
      if (claim.state === 'conflict') throw conflict(claim.before, fingerprint);
      attempt.inDoubt = true;
      // An unreadable claim does not stop a webhook: webhooks are delivered again until they are accepted, and applying
      // one twice changes nothing.
      if (life) throw unreadable();
      return { answer: await run(), replayed: false };
    }
    const isRepeat = claim.state === 'inDoubt';
    const { claimedAt, serviceTime } = claim;
    const keyLife = life && { ...life, claimedAt, serviceTime, claimedSteady: isRepeat ? undefined : steady };
    attempt.inDoubt = isRepeat;
    attempt.window = keyLife && retryWindowOf(keyLife);
    attempt.isMine = (isSent = false) => {
      // A request that may have taken effect before is as old as that, whenever it was by the service's clock.
      const isFirst = keyLife && isSent && outcomeOf(attempt) !== 'unknown';
      if (isFirst) keyLife.serviceTime = keyLife.serviceClock.now();
      return keys.isMine(at, key, isFirst ? keyLife.serviceTime : undefined);
    };
    count(isRepeat && attempt.window && attempt.window.remaining() <= 0 ? 'unknown' : isRepeat ? 'repeated' : 'fresh');
    try {
      requireKeyValid(attempt);
      const answer = await run(claim.former);
      await keys.complete(at, key, answer);
      return { answer, replayed: false };
    } catch (error) {
      // While the store cannot be read, the claim stays: the next attempt repeats the request under its key.
      const outcome = await settledOutcomeOf(attempt).catch(() => 'unknown');
      await (outcome === 'unknown' ? keys.relinquish(at, key) : keys.release(at, key));
      throw error;
    }
  }

  return async (at, key, fingerprint, attempt, ...rest) => {
    const name = JSON.stringify([at.workspace, at.companyKey, key]);
    const underWay = writes.underWay(name);
    if (!underWay)
      return writes.run(name, () => runClaimed(at, key, fingerprint, attempt, ...rest), { fingerprint, attempt });
    const { about: first, result } = underWay;
    count(first.fingerprint === fingerprint ? 'waited' : 'conflict');
    attempt.isClaimed = true;
    if (first.fingerprint !== fingerprint) throw conflict(first.fingerprint, fingerprint);
    try {
      return { ...(await result), replayed: true };
    } finally {
      Object.assign(attempt, first.attempt);
    }
  };
}

const unreadable = () =>
  new Failure(
    'outcome-unknown',
    'What the console keeps of this request was changed and cannot be read. The request may have been done before, so it is not sent again under its idempotency key.',
  );

const isSame = (one: readonly string[], other: readonly string[]): boolean => {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
};

/** Names of members, in their original order and sorted. */
interface WriteOrder {
  names: readonly string[];
  sorted: readonly string[];
  /** Whether `__proto__` is not among the names. */
  isPlain: boolean;
}

/** Returns a copy with the members of all objects sorted by name. */
function sorted(value: unknown): unknown {
  /** Sorted names by the containing member: the objects of a list mostly have the same members. */
  const known = new Map<string, WriteOrder>();

  function orderOf(names: readonly string[], at: string): WriteOrder {
    const latest = known.get(at);
    if (latest && isSame(latest.names, names)) return latest;
    const order = { names, sorted: names.toSorted(), isPlain: !names.includes('__proto__') };
    known.set(at, order);
    return order;
  }

  function copy(part: unknown, at: string): unknown {
    if (Array.isArray(part)) {
      const list: unknown[] = [];
      for (const each of part) list.push(copy(each, at));
      return list;
    }
    if (typeof part !== 'object' || part === null || part instanceof ExactNumber) return part;
    const own = part as Record<string, unknown>; // not a list
    const { sorted: order, isPlain } = orderOf(Object.keys(own), at);
    // Assignment is several times as fast, but fails for `__proto__`.
    if (!isPlain) return Object.fromEntries(order.map((name) => [name, copy(own[name], name)]));
    const members: Record<string, unknown> = {};
    for (const name of order) members[name] = copy(own[name], name);
    return members;
  }

  return copy(value, '');
}

function hashOf(name: string, ...texts: string[]): string {
  const hash = createHash('sha256').update(`${name} `);
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

const serialised = (value: unknown): string => (value === undefined ? 'undefined' : stringify(value));

/** Returns a hash of the body that ignores the order of members. */
export const fingerprintOf = (name: string, body: unknown): string => hashOf(name, serialised(sorted(body)));

/** The second part of a described fingerprint, as JSON. */
interface Description {
  name: string;
  parts: Outline;
}

/** Like `fingerprintOf`, followed by hashes of the body's parts, so that a conflict can name the parts that differ. */
export function describedFingerprintOf(name: string, body: unknown): string {
  const inOrder = sorted(body);
  if (!isObject(inOrder)) return described(name, [serialised(inOrder)], outlineOf(inOrder));
  // Each member is serialised once, for both hashes, and the texts are not joined, because a batch is large.
  const known = new Map<unknown, string>();
  const texts: string[] = [];
  for (const [member, value] of Object.entries(inOrder)) {
    if (value === undefined) continue;
    const text = stringify(value);
    if (typeof value === 'object') known.set(value, text);
    texts.push(`${texts.length === 0 ? '{' : ','}${JSON.stringify(member)}:`, text);
  }
  return described(name, texts.length === 0 ? ['{}'] : [...texts, '}'], outlineOf(inOrder, known));
}

const described = (name: string, texts: string[], parts: Outline): string =>
  `${hashOf(name, ...texts)} ${JSON.stringify({ name, parts } satisfies Description)}`;
