import type { Clock } from '#server/clock.ts';
import type { Collections } from '../store/tenantStore.ts';
import { clockRecords, type ClockShift } from './records.ts';

const machineTime: ClockShift = { offset: 0 };

/**
 * The sandbox's clock, which can be moved and stopped; tokens, links, consents and jobs follow it. The shift is stored
 * until the sandbox is emptied. A timer set while the clock is stopped never fires; `changed` is called after each
 * change, so that timers can be set again.
 */
export function createMovableClock({ clock, store }: { clock: Clock; store: Collections }) {
  const stored = clockRecords(store);
  let shift = machineTime;
  const steady = () => shift.still?.steady ?? clock.steady() + shift.offset;
  let changed: () => Promise<void> = () => Promise.resolve();

  async function set(next: ClockShift): Promise<void> {
    await stored.save('clock', next);
    shift = next;
    await changed();
  }

  return {
    now: () => shift.still?.now ?? clock.now() + shift.offset,
    steady,
    setTimeout: (run: () => void, ms: number) => (shift.still ? undefined : clock.setTimeout(run, ms)),
    clearTimeout: (id: unknown) => clock.clearTimeout(id),
    /** Reads the stored shift; until then the clock shows the machine's time. */
    async load(): Promise<void> {
      shift = (await stored.find('clock')) ?? machineTime;
    },
    onChange(run: () => Promise<void>): void {
      changed = run;
    },
    state: () => ({ offset: steady() - clock.steady(), still: shift.still !== undefined }),
    /** Moves the clock by `ms`: forward, or back if negative. */
    move(ms: number): Promise<void> {
      const { offset, still } = shift;
      return set({ offset: offset + ms, ...(still && { still: { now: still.now + ms, steady: still.steady + ms } }) });
    },
    stop(): Promise<void> {
      const { offset, still } = shift;
      return set({ offset, still: still ?? { now: clock.now() + offset, steady: steady() } });
    },
    /** Restarts the clock from its current time. */
    run(): Promise<void> {
      const { offset, still } = shift;
      return set({ offset: still ? still.steady - clock.steady() : offset });
    },
    /** Sets the clock to the machine's time. */
    reset: () => set(machineTime),
  };
}

export type MovableClock = ReturnType<typeof createMovableClock>;
