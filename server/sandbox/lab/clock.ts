import type { Clock } from '#server/clock.ts';
import type { SandboxStorage } from '../storage.ts';

/** How the sandbox's time differs from that of the machine; in ms. */
export interface Shift {
  /** The sandbox's time less that of the machine. */
  offset: number;
  /** The times at which the sandbox's clock was stopped, by its own reading; absent while it runs. */
  still?: { now: number; steady: number };
}

const real: Shift = { offset: 0 };

/**
 * The sandbox's clock, which can be moved and stopped: tokens, links, consents and jobs follow it. Its shift survives a
 * restart and goes when the sandbox is emptied. A timer set while it stands still never ends; `changed` is called after
 * each change, so that timers are set anew.
 */
export function createMovableClock({ clock, storage }: { clock: Clock; storage: SandboxStorage }) {
  let shift = real;
  const steady = () => shift.still?.steady ?? clock.steady() + shift.offset;
  let changed: () => Promise<void> = () => Promise.resolve();

  async function set(next: Shift): Promise<void> {
    await storage.save('clock', 'clock', next);
    shift = next;
    await changed();
  }

  return {
    now: () => shift.still?.now ?? clock.now() + shift.offset,
    steady,
    setTimeout: (run: () => void, ms: number) => (shift.still ? undefined : clock.setTimeout(run, ms)),
    clearTimeout: (id: unknown) => clock.clearTimeout(id),
    /** Reads its shift; before that it shows the machine's time. */
    async load(): Promise<void> {
      shift = (await storage.find('clock', 'clock')) ?? real;
    },
    onChange(run: () => Promise<void>): void {
      changed = run;
    },
    state: () => ({ offset: steady() - clock.steady(), still: shift.still !== undefined }),
    /** Moves it by `ms`: forward, or back if negative. */
    move(ms: number): Promise<void> {
      const { offset, still } = shift;
      return set({ offset: offset + ms, ...(still && { still: { now: still.now + ms, steady: still.steady + ms } }) });
    },
    stop(): Promise<void> {
      const { offset, still } = shift;
      return set({ offset, still: still ?? { now: clock.now() + offset, steady: steady() } });
    },
    /** Lets it run again from where it stands. */
    run(): Promise<void> {
      const { offset, still } = shift;
      return set({ offset: still ? still.steady - clock.steady() : offset });
    },
    /** Sets it to the machine's time. */
    reset: () => set(real),
  };
}

export type MovableClock = ReturnType<typeof createMovableClock>;
