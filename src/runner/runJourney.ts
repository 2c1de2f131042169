import type { ActorRefFrom, AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { unavailableBecause } from '#machines/console.ts';
import type { consoleMachine } from '#machines/console.machine.ts';
import {
  addressOf,
  guidedPath,
  heldUpBy,
  isDone,
  journeyOf,
  requirementStatus,
  type JourneyId,
} from '#machines/journeys.ts';
import { effectsOf } from '#machines/lib/effect.ts';
import { activeNodes, invokedIn, stateOf } from '#machines/lib/state.ts';
import { plain } from './file.ts';
import { shared, stuck, wait, type Move, type Place, type Visit, type Walk } from './actions.ts';
import { table } from './table.ts';
import { changesOf } from './changes.ts';

/** What the walker needs from its surroundings. */
export interface Hands {
  /** Opens an address of the console. */
  go: (address: string) => void;
  /** Visits a web page as its user; resolves when done. Rejects with an error whose message says why it failed. */
  visit: (visit: Visit) => Promise<void>;
  /** Resolves when there may be news of a record, after about a second at most. */
  pause: (id: string) => Promise<void>;
  /** Whether answers may take long because people give them; otherwise an overdue answer fails the journey. */
  patient: boolean;
  /** A time in ms with an arbitrary origin. */
  now: () => number;
  /** Called when a journey begins and when it ends. */
  tell?: (told: Told) => void;
}

/** A journey begins or has ended. */
export type Told = { begins: JourneyId } | { ended: Walked };

/** The result of a journey; times in ms. */
export interface Walked {
  journey: JourneyId;
  end: 'done' | 'failed' | 'skipped';
  /** The states passed, in order, as dotted names. */
  states: readonly string[];
  ms: number;
  /** The part of `ms` spent waiting for a poll or for a page's user. */
  waited: number;
  /** Why it failed or was skipped; '' if it is done. */
  because: string;
  problem: Problem | null;
  /** What the journey created; null if nothing. */
  result: unknown;
  /** The journey's context at its end. */
  context: unknown;
}

export interface WalkOptions {
  /** Maximum number of retries after failures in each journey. */
  retries?: number;
  /** Called and awaited when a journey has reached a new state, before its user continues. */
  arrived?: (journey: JourneyId, state: string) => Promise<void>;
}

type ConsoleActor = ActorRefFrom<typeof consoleMachine>;

/** Maximum numbers of events and of pauses in one journey, beyond which it is considered stuck. */
const mostEvents = 500;
const mostPauses = 60;

const unwalked = (journey: JourneyId, because: string): Walked => ({
  journey,
  end: 'skipped',
  states: [],
  ms: 0,
  waited: 0,
  because,
  problem: null,
  result: null,
  context: null,
});

/** The snapshots of a journey's invoked actors: machines, or promises, which have neither machine nor value. */
const invokedBy = ({ children }: AnyMachineSnapshot): Partial<AnyMachineSnapshot>[] =>
  Object.values(children as Record<string, AnyActorRef | undefined>).flatMap(
    (child) => (child?.getSnapshot() as Partial<AnyMachineSnapshot> | undefined) ?? [],
  );

/** Whether a journey, or the machine that it invokes, waits for what a poll tells. */
function rests(now: AnyMachineSnapshot): boolean {
  const inner = invokedIn(now) ?? now;
  const effects = effectsOf(inner.machine);
  return Object.keys(inner.children as object).some((id) => effects[id]?.declared.polls); // an effect runs under its name
}

/** Whether a journey will continue without its user: an actor is running or a delay is pending. */
const works = (now: AnyMachineSnapshot): boolean =>
  activeNodes(now).some(({ after }) => after.length > 0) || invokedBy(now).some(({ status }) => status === 'active');

/**
 * Walks journeys on a console's machine as a user would: opens each at its address, sends the events of its states
 * (table.ts), has web pages visited, and records the result. The machine runs in a page or without a screen; the walker
 * itself performs no effects of journeys.
 */
export function createWalker(actor: ConsoleActor, hands: Hands, signal?: AbortSignal) {
  const changes = changesOf(actor, signal);
  const view = () => actor.getSnapshot();
  const isReading = () => view().matches({ facts: 'reading' });

  /** Opens a journey from the start. */
  async function open(walk: Walk): Promise<void> {
    const { journey } = walk;
    if (view().context.opening?.journey === journey) {
      hands.go('/');
      await changes.until(() => view().context.opening === null);
    }
    const query = table[journey].query?.(walk) ?? {};
    hands.go(addressOf(journey, { guided: journeyOf(journey).guided !== undefined, query }));
    await changes.until(() => view().context.opening?.journey === journey);
  }

  /** The next move of the open journey. */
  function moveOf(walk: Walk, retries: number, { once, did }: Pick<Place, 'once' | 'did'>): Move {
    const { value, context } = view();
    if (value.page === 'broken') return stuck(`The journey could not be opened: ${String(context.error)}`);
    if (value.page === 'unavailable') {
      const problem = unavailableBecause(context);
      for (let turn = 0; turn < retries; turn += 1) {
        const again = once(`open ${turn}`, { kind: 'send', event: { type: 'retry' } });
        if (again) return again;
      }
      return stuck(`${problem?.title ?? 'The facts could not be read'}: ${problem?.detail ?? ''}`, problem);
    }
    const { step, facts } = context;
    if (context.opening?.journey !== walk.journey) return stuck('The page was closed');
    if (!step || !facts) return wait;
    const now = step.getSnapshot() as AnyMachineSnapshot; // journeys are machines
    const place = { id: walk.journey, state: stateOf(now), now, facts, walk, once, did };
    const move = table[walk.journey].moves(place) ?? shared(place, retries) ?? wait;
    if (move.kind !== 'wait') return move;
    const { overdue = false } = (invokedIn(now) ?? now).context as { overdue?: boolean }; // of what awaits an answer
    if (overdue && !hands.patient && facts.environment === 'sandbox')
      return stuck('No response for a long time, and no request is in progress');
    return works(now) ? wait : stuck(`No step is known in the state ${place.state}`);
  }

  /** Walks one journey; resolves even if it fails. Rejects if the signal aborts it. */
  async function one(walk: Walk, { retries = 0, arrived }: WalkOptions): Promise<Walked> {
    const { journey } = walk;
    const [begun, before] = [hands.now(), view().context.step];
    const states: string[] = [];
    const sent = new Set<string>();
    let [events, pauses, waited] = [0, 0, 0];
    let told = '';
    const waiting = async (until: Promise<unknown>) => {
      const from = hands.now();
      await until;
      waited += hands.now() - from;
    };
    const once = (name: string, move: Move) => (sent.has(name) ? null : (sent.add(name), move));
    const step = () => {
      const { step, opening } = view().context;
      return step !== before && opening?.journey === journey ? step : null;
    };
    const end = (how: Pick<Walked, 'end' | 'because' | 'problem'>): Walked => {
      const last = step()?.getSnapshot() as AnyMachineSnapshot | undefined; // journeys are machines
      const context = (last?.context ?? null) as { result?: unknown } | null;
      const result = context?.result ?? null;
      return { journey, ...how, states, ms: hands.now() - begun, waited, result, context };
    };
    hands.tell?.({ begins: journey });
    changes.watch((state) => {
      if (states.at(-1) !== state) states.push(state);
    }, before);
    await open(walk);
    for (;;) {
      const state = states.at(-1);
      if (arrived && state !== undefined && state !== told) {
        told = state;
        await arrived(journey, state);
      }
      const seen = changes.seen();
      const move = moveOf(walk, retries, { once, did: (name) => sent.has(name) });
      switch (move.kind) {
        case 'send': {
          if ((events += 1) > mostEvents)
            return end({ end: 'failed', because: 'It repeats the same states', problem: null });
          const to = view().value.page === 'unavailable' ? actor : step();
          (to as typeof actor | null)?.send(move.event as { type: 'retry' }); // an event of that journey, or the console's
          break;
        }
        case 'pause':
          if ((pauses += 1) > mostPauses) return end({ end: 'failed', because: 'It waited too long', problem: null });
          await waiting(hands.pause(move.id));
          step()?.send(move.event);
          break;
        case 'visit': {
          let because = '';
          await waiting(
            hands.visit(move.visit).catch((error: unknown) => {
              because = error instanceof Error ? error.message : String(error);
            }),
          );
          if (because) return end({ end: 'failed', because, problem: null });
          break;
        }
        case 'wait': {
          const now = step()?.getSnapshot() as AnyMachineSnapshot | undefined; // journeys are machines
          const next = changes.after(seen);
          await (now && rests(now) ? waiting(next) : next);
          break;
        }
        case 'reopen':
          if ((pauses += 1) > mostPauses) return end({ end: 'failed', because: 'It waited too long', problem: null });
          await open(walk);
          break;
        case 'done':
          // The next journey depends on facts that include this result.
          await changes.until(() => !isReading());
          return end({ end: 'done', because: '', problem: null });
        case 'stuck':
          return end({ end: 'failed', because: move.because, problem: move.problem ?? null });
      }
    }
  }

  async function reported(walk: Walk, options: WalkOptions): Promise<Walked> {
    const walked = await one(walk, options);
    hands.tell?.({ ended: walked });
    return walked;
  }

  return {
    /** Walks these journeys in order; after a failure, the others are skipped. */
    async all(walks: readonly Walk[], options: WalkOptions = {}): Promise<Walked[]> {
      const walked: Walked[] = [];
      for (const walk of walks) {
        const failed = walked.find(({ end }) => end === 'failed');
        walked.push(failed ? unwalked(walk.journey, `${failed.journey} has failed`) : await reported(walk, options));
      }
      return walked;
    },
    /** Walks the remaining rows of the guided path. */
    async guided(options: WalkOptions = {}): Promise<Walked[]> {
      const walked: Walked[] = [];
      let facts = await this.facts();
      const before = guidedPath(facts).filter((row) => isDone(row, facts));
      const isLeft = (row: JourneyId) =>
        !walked.some(({ journey }) => journey === row) && !(before.includes(row) && isDone(row, facts));
      for (;;) {
        const journey = guidedPath(facts).find(isLeft);
        if (journey === undefined) return walked;
        const last = await one(plain(journey), options);
        facts = await this.facts();
        const lacks =
          last.end === 'done' &&
          !isDone(journey, facts) &&
          (heldUpBy(journey, facts) ?? journeyOf(journey).provides[0]);
        const ended = lacks ? { ...last, end: 'failed' as const, because: requirementStatus(lacks, facts) } : last;
        hands.tell?.({ ended });
        walked.push(ended);
        if (ended.end === 'failed') return walked;
      }
    },
    /** The facts as last read. Rejects with the problem if they cannot be read. */
    async facts(): Promise<Facts> {
      await changes.until(() => !isReading() && (view().context.facts ?? view().context.failure) !== null);
      const { facts, failure } = view().context;
      if (!facts) throw Object.assign(new Error(failure?.title), failure);
      return facts;
    },
    /** Reads the facts again. Rejects with the problem if they cannot be read. */
    factsNow(): Promise<Facts> {
      actor.send({ type: 'facts.stale' });
      return this.facts();
    },
    /** Stops listening to the machine. */
    stop: () => changes.stop(),
  };
}

export type Walker = ReturnType<typeof createWalker>;
