import type { CallName } from '#contract/calls.ts';
import type { Answer } from '#contract/shapes.ts';
import { currentCall } from '#server/calls/callContext.ts';
import { declaredAnswer } from '#server/http/declaration.ts';
import type { KeyLife } from '#server/calls/retryWindow.ts';
import { outcomeOf, requireKeyValid, throwTakenOver, type WriteAttempt } from '#server/calls/writeOutcome.ts';
import { pause } from '#server/clock.ts';
import { createSingleFlight } from '#server/concurrency.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import type { Storage } from '#server/storage/open.ts';
import type { Write as Row } from '#server/storage/writes.ts';
import { isLasting } from '#server/upstream/verdict.ts';
import { requireNoOther, type Known } from './beside.ts';
import { conflict } from './conflict.ts';
import { createdIn, requireNew } from './created.ts';

/** Takes back what a write has reserved besides its lines; within the transaction that removes a write under which nothing was done. */
export type Release = () => Promise<void>;

/** What the handler of a write says; the journal does the rest. `Sent` is the service's answer. */
export interface Write<C extends CallName, Input, Sent = unknown> {
  /**
   * What nobody else may take. It finds out what is to be reserved, may ask the service, and changes nothing; what it resolves
   * with reserves that, within the transaction that claims the key. Throws a Failure if it is taken. `isRepeat`: the write was
   * claimed before.
   */
  reserve?(
    context: CompanyContext,
    input: Input,
    isRepeat: boolean,
  ): Promise<(row: Row) => Promise<Release | undefined>>;
  /** Sends the write under its key at the service; no other call of it changes anything there. */
  send(context: CompanyContext, input: Input): Promise<Sent>;
  /** Within the transaction that ends the write: keeps what it has made. Returns the answer of the console. */
  keep(context: CompanyContext, input: Input, sent: Sent): Promise<Answer<C>>;
}

/**
 * What was found under a key. `fresh`: nothing; `repeated`: a write without a known outcome, which is sent again; `waited`:
 * one in progress, whose answer was awaited; `replayed`: an answer; `conflict`: another request; `unknown`: the key may be
 * forgotten by the service, so that nothing is sent.
 */
export type Found = 'fresh' | 'repeated' | 'waited' | 'replayed' | 'conflict' | 'unknown';

/** A write as it came, and where it belongs. */
export interface Request<Input> extends Pick<
  Row,
  'workspace' | 'companyKey' | 'key' | 'owner' | 'fingerprint' | 'serviceKey'
> {
  call: CallName;
  input: Input;
  attempt: WriteAttempt;
  /** How long (ms) the service honours the key. */
  keyTtl: number;
  /** Whether an answer that is stored is all that is wanted: nothing is sent. */
  replayOnly: boolean;
}

interface Outcome {
  answer: unknown;
  /** True if the answer is that of an earlier or concurrent request with this key. */
  replayed: boolean;
}

/** Interval (ms) at which a write is looked at while another server works on it. */
const retryDelay = 100;

const lockOf = ({ workspace, companyKey, key }: Pick<Row, 'workspace' | 'companyKey' | 'key'>) =>
  `write ${JSON.stringify([workspace, companyKey, key])}`;

const unreadable = () =>
  new Failure(
    'outcome-unknown',
    'What the console keeps of this request was changed and cannot be read. The request may have been done before, so it is not sent again under its idempotency key.',
  );

const answerNotStored = () =>
  new Failure('outcome-unknown', 'The first answer to this request is no longer kept. Nothing was sent.');

const ofOtherCompany = () =>
  new Failure(
    'outcome-unknown',
    'This request was sent before for a company that had other ids than the settings have now, so it is not sent again. To repeat it, write the ids of that company into the settings.',
  );

const removedMeanwhile = () =>
  new Failure(
    'prerequisite-missing',
    'The user or company of this request was removed before the request was sent. Nothing was sent now.',
  );

const removedSince = (id: string) =>
  new Failure(
    'outcome-unknown',
    `The user or company of this request was removed after the request was sent. It took effect${id && ` (${id})`}, and nothing else of it is kept.`,
  );

/** Whether the request of this attempt was answered by a refusal, believed or not, that a repeat would get again. */
const isRefused = ({ sent }: WriteAttempt, error: unknown): boolean =>
  sent && error instanceof Failure && isLasting(error.problem.upstream?.status ?? 0);

/**
 * Runs writes: each takes effect once under its idempotency key, on all servers, and its outcome is told once. Two
 * transactions enclose the request: the first claims the key and reserves, the second stores the outcome with what it has
 * made. A process that ends between them leaves a claim, which means that the request may have been sent: the next one
 * under the key sends the stored body again, or says that the outcome is unknown once the service may have forgotten the
 * key. Calls `count` once for each request, with what was found under its key.
 */
export function createJournal(
  { writes, tryLock, transaction }: Storage,
  count: (found: Found) => void = () => undefined,
) {
  const underWay = createSingleFlight<Outcome, { fingerprint: string; attempt: WriteAttempt; body: unknown }>();

  /** Whether a claimed write is on its way to the service: its holder has not ended. */
  async function isUnderWay(row: Row): Promise<boolean> {
    if (row.state !== 'claimed') return false;
    const unlock = await tryLock(lockOf(row));
    await unlock?.();
    return unlock === undefined;
  }

  /** The answer of a write that is done. */
  async function answerOf(row: Row): Promise<unknown> {
    const done = await writes.doneOf(row).catch(() => undefined);
    if (!done) throw unreadable();
    return done.answer;
  }

  async function runClaimed<Input extends { body: unknown; key: string } & Known>(
    context: CompanyContext,
    write: Write<CallName, Input>,
    request: Request<Input>,
  ): Promise<Outcome> {
    const { call, attempt, owner, fingerprint, keyTtl, replayOnly, input: asked, ...at } = request;
    const { clock } = context;
    let waited = false;
    for (;;) {
      const steady = clock.steady();
      // Until it is known whether the write was claimed before, it may have been.
      attempt.inDoubt = true;
      const before = await writes.find(at, at.key);
      attempt.inDoubt = before !== undefined;
      attempt.isClaimed = true;
      if (before && before.fingerprint !== fingerprint) {
        attempt.inDoubt = false;
        count('conflict');
        throw conflict(call, asked.body, before, await writes.bodyOf(before).catch(() => undefined));
      }
      if (before?.state === 'done') {
        const answer = await answerOf(before);
        count(waited ? 'waited' : 'replayed');
        return { answer, replayed: true };
      }
      if (replayOnly) throw answerNotStored();
      const unlock = await tryLock(lockOf(at));
      if (!unlock) {
        waited = true;
        await pause(clock, retryDelay);
        continue;
      }
      try {
        const outcome = await claimed(before, steady);
        if (outcome) return outcome;
      } finally {
        await unlock();
      }
    }

    /** Claims the key, sends the request and stores its outcome; undefined if somebody else has changed the row meanwhile. */
    async function claimed(before: Row | undefined, steady: number): Promise<Outcome | undefined> {
      const isRepeat = before !== undefined;
      // After its user was removed, the body is gone; the fingerprint says that this one is the same.
      const input = isRepeat ? { ...asked, key: before.serviceKey, body: (await bodyOf(before)) ?? asked.body } : asked;
      const { serviceClock } = context.upstream;
      const life: KeyLife = {
        claimedAt: before?.claimedAt ?? clock.now(),
        claimedSteady: isRepeat ? undefined : steady,
        serviceTime: before ? before.serviceTime : serviceClock.now(),
        keyTtl,
        serviceClock,
      };
      const window = context.retryWindow(life);
      attempt.window = window;
      count(isRepeat && window.remaining() <= 0 ? 'unknown' : isRepeat ? 'repeated' : 'fresh');
      if (isRepeat) requireKeyValid(attempt);
      if (isRepeat && before.owner !== '' && before.owner !== owner) throw ofOtherCompany();
      const sealed = writes.sealed(at, input.body);
      const reserve = await write.reserve?.(context, input, isRepeat);
      let release: Release | undefined;
      const row = await transaction(at.workspace, async () => {
        const claim = before
          ? await writes.takeOver(before, sealed)
          : await writes.claim(
              { ...at, call, owner, fingerprint, body: input.body, serviceTime: life.serviceTime },
              sealed,
            );
        if (claim && !isRepeat) await requireNoOther(context, input, claim, isUnderWay);
        release = claim && (await reserve?.(claim));
        return claim;
      });
      if (!row) return undefined;
      attempt.requireMine = async () => {
        // The key is as old as the first request that may have taken effect, by the service's clock as seen just before.
        if (!isRepeat && outcomeOf(attempt) !== 'unknown') life.serviceTime = serviceClock.now();
        const hold = await writes.hold(row, life.serviceTime);
        if (hold === 'lost') throwTakenOver(attempt);
        if (hold === 'forgotten') throw removedMeanwhile();
      };
      try {
        return await done(row, input, await write.send(context, input));
      } catch (error) {
        const settled = await lost({ ...row, serviceTime: life.serviceTime }, error, release).catch(() => {
          // The row stays as it is, which means that the request may have been sent.
          attempt.inDoubt = true;
          return undefined;
        });
        if (settled) return settled;
        throw error;
      }
    }

    async function bodyOf(row: Row): Promise<unknown> {
      try {
        return await writes.bodyOf(row);
      } catch {
        count('unknown');
        throw unreadable();
      }
    }

    async function done(row: Row, input: Input, sent: unknown): Promise<Outcome> {
      const created = createdIn(call, sent);
      const answer = await transaction(at.workspace, async () => {
        await requireNew(writes, row, created);
        const isForgotten = (await writes.hold(row)) === 'forgotten';
        const kept = isForgotten ? undefined : declaredAnswer(call, await write.keep(context, input, sent));
        const isRepeat = row.turn > 1;
        const exchange = currentCall()?.write;
        const end = {
          answer: kept,
          exchange,
          created,
          ...(isRepeat && ({ settledBy: 'response', settledIn: exchange?.interactionId } as const)),
        };
        if (!(await writes.end(row, end))) throwTakenOver(attempt);
        return kept;
      });
      if (answer === undefined) throw removedSince(created?.id ?? '');
      return { answer, replayed: false };
    }

    /** Stores what is known of a write that failed. Resolves with its answer if a webhook or a reading has settled it. */
    async function lost(row: Row, error: unknown, release?: Release): Promise<Outcome | undefined> {
      const words = error instanceof Failure ? error.message : 'The console failed before it read the response.';
      const isStored = await transaction(at.workspace, async () => {
        if (outcomeOf(attempt) === 'unknown')
          return isRefused(attempt, error) ? writes.loseTrack(row, words, 'refused') : writes.loseTrack(row, words);
        if (!(await writes.remove(row))) return false;
        await release?.();
        return true;
      });
      if (isStored) return undefined;
      attempt.inDoubt = true;
      const now = await writes.find(at, at.key);
      return now?.state === 'done' ? { answer: await answerOf(now), replayed: true } : undefined;
    }
  }

  return {
    /** Runs a write once per idempotency key; a concurrent repeat waits for it, a later one gets the stored answer. */
    async run<Input extends { body: unknown; key: string } & Known>(
      context: CompanyContext,
      write: Write<CallName, Input>,
      request: Request<Input>,
    ): Promise<Outcome> {
      const { fingerprint, attempt, call, input } = request;
      const name = lockOf(request);
      const flight = underWay.underWay(name);
      if (!flight)
        return underWay.run(name, () => runClaimed(context, write, request), {
          fingerprint,
          attempt,
          body: input.body,
        });
      const { about: first, result } = flight;
      count(first.fingerprint === fingerprint ? 'waited' : 'conflict');
      attempt.isClaimed = true;
      if (first.fingerprint !== fingerprint) throw conflict(call, input.body, undefined, first.body);
      try {
        return { ...(await result), replayed: true };
      } finally {
        Object.assign(attempt, first.attempt);
      }
    },
  };
}
