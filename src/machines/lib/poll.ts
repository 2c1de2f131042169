import {
  createActor,
  fromCallback,
  fromObservable,
  toObserver,
  type AnyActorRef,
  type ObservableActorLogic,
  type Observer,
  type Subscribable,
} from 'xstate';
import { answerPatience, webhookPollInterval } from '#contract/constants.ts';
import { unsupplied, type Effect, type EffectTexts, type Run } from './effect.ts';

/** What a poll has found out so far. */
export interface Reading<Answer> {
  /** The latest answer; null before the first one. */
  answer: Answer | null;
  /** Number of answers. */
  times: number;
  /** Whether the poll has waited for the duration of `patience`. */
  overdue: boolean;
}

const noReading = { answer: null, times: 0, overdue: false } as const;

/** The reading in a poll's snapshot, of which the first precedes all readings. */
export const readingIn = <Answer>({
  snapshot: { context },
}: {
  snapshot: { context: Reading<Answer> | undefined };
}): Reading<Answer> => context ?? noReading;

/** The times of a poll (ms). */
interface Options {
  interval?: number;
  patience?: number;
}

interface Scope<Question> {
  input: Question;
  self: AnyActorRef;
}

/** A timer by the clock of the poll's system, so that whoever owns that clock owns the poll's time. */
function timerOf({ self }: Scope<unknown>, interval: number, tick: () => void) {
  const ticks = createActor(fromCallback(({ receive }) => receive(tick))).start();
  const { scheduler } = self.system;
  const stop = () => scheduler.cancel(self, 'interval');
  return {
    stop,
    restart: () => (stop(), scheduler.schedule(self, ticks, { type: 'poll.tick' }, interval, 'interval')),
  };
}

/**
 * Asks after one `interval`, and again one interval after each answer; news ends the wait early, and asks once more if it
 * arrives during a call, whose answer may predate it. Calls never overlap. Returns how to unsubscribe.
 */
function asks<Question, Answer>(
  run: Run<Question, Answer>,
  scope: Scope<Question>,
  { interval = webhookPollInterval, patience = answerPatience }: Options,
  observer: Observer<Reading<Answer>>,
): () => void {
  const ended = new AbortController();
  let reading: Reading<Answer> = noReading;
  /** How long (ms) the poll has waited, in whole intervals. */
  let waited = 0;
  let asking = false;
  let woken = false;

  /** Tells what is new; false if the observer has left on hearing it. */
  function tell(news: Partial<Reading<Answer>>): boolean {
    reading = { ...reading, ...news };
    observer.next?.(reading);
    return !ended.signal.aborted;
  }
  function ask(): void {
    [asking, woken] = [true, false];
    timer.restart();
    run(scope.input, ended.signal).then(
      (answer) => {
        if (ended.signal.aborted) return;
        asking = false;
        if (!tell({ answer, times: reading.times + 1 })) return;
        if (woken) ask();
        else timer.restart();
      },
      (error: unknown) => {
        if (ended.signal.aborted) return;
        end();
        observer.error?.(error);
      },
    );
  }
  const timer = timerOf(scope, interval, () => {
    waited += interval;
    if (!reading.overdue && waited >= patience && !tell({ overdue: true })) return;
    if (asking) timer.restart();
    else ask();
  });
  const forget = run.news?.(scope.input, () => {
    if (ended.signal.aborted) return;
    if (asking) woken = true;
    else ask();
  });
  function end(): void {
    ended.abort();
    timer.stop();
    forget?.();
  }
  timer.restart();
  return end;
}

/** An effect that is subscribed to: each snapshot has a `Reading`. It never completes. */
export type Poll<Question, Answer> = ObservableActorLogic<Reading<Answer>, Question> & Effect<Question, Answer>;

/**
 * Declares an effect that polls. Whoever invokes it decides by its snapshots when it knows enough, and leaves the state.
 * The poll fails as soon as a call fails.
 */
export function poll<Question, Answer>(words: EffectTexts, options: Options = {}): Poll<Question, Answer> {
  const supply = (run?: Run<Question, Answer>) =>
    fromObservable<Reading<Answer>, Question>((scope): Subscribable<Reading<Answer>> => ({
      subscribe: (
        to: Observer<Reading<Answer>> | ((reading: Reading<Answer>) => void),
        fails?: (error: unknown) => void,
      ) => ({
        unsubscribe: asks(run ?? (() => unsupplied(scope.self)), scope, options, toObserver(to, fails)),
      }),
    }));
  const { interval = webhookPollInterval } = options;
  return Object.assign(supply(), { declared: { kind: 'reads', words, polls: true, interval, supply } as const });
}
