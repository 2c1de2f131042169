import type { ActorRefFrom, AnyActorRef, AnyMachineSnapshot, Subscription } from 'xstate';
import type { consoleMachine } from '#machines/console.machine.ts';
import { stateOf } from '#machines/lib/state.ts';

const nothing = () => undefined;

/** Observes the changes of a console's machine and of its open journey, for code that awaits them sequentially. */
export function changesOf(actor: ActorRefFrom<typeof consoleMachine>, signal?: AbortSignal) {
  let count = 0;
  let wake: () => void = nothing;
  let step: AnyActorRef | null = null;
  let ofStep: Subscription | undefined;
  let watched: (state: string) => void = nothing;
  let unwatched: AnyActorRef | null = null;

  const changed = () => {
    count += 1;
    wake();
  };
  const look = () => {
    if (step && step !== unwatched) watched(stateOf(step.getSnapshot() as AnyMachineSnapshot)); // journeys are machines
    changed();
  };
  const follow = () => {
    const now = actor.getSnapshot().context.step;
    if (now !== step) {
      ofStep?.unsubscribe();
      step = now;
      ofStep = step?.subscribe({ next: look, error: look, complete: look });
    }
    look();
  };
  const ofConsole = actor.subscribe({ next: follow, error: changed });
  follow();

  /** Resolves at the first change after change number `seen`. */
  async function after(seen: number): Promise<void> {
    signal?.throwIfAborted();
    if (count > seen) return;
    await new Promise<void>((resolve, reject) => {
      const abort = () => reject(signal?.reason as Error); // AbortSignal declares it as any
      signal?.addEventListener('abort', abort, { once: true });
      wake = () => {
        wake = nothing;
        signal?.removeEventListener('abort', abort);
        resolve();
      };
    });
  }

  return {
    /** The number of changes so far. */
    seen: (): number => count,
    after,
    /** Resolves as soon as a condition holds. Rejects if the signal aborts. */
    async until(holds: () => boolean): Promise<void> {
      for (;;) {
        const seen = count;
        if (holds()) return;
        await after(seen);
      }
    },
    /** Calls `run` with each state of every journey opened after `before`. */
    watch(run: (state: string) => void, before: AnyActorRef | null): void {
      watched = run;
      unwatched = before;
    },
    stop(): void {
      ofStep?.unsubscribe();
      ofConsole.unsubscribe();
    },
  };
}
