import type { Clock } from '#server/clock.ts';
import type { Collections } from './store/tenantStore.ts';

/** The sandbox's time in relation to the machine's; in ms. */
interface ClockShift {
  /** The sandbox's time minus the machine's; 0 while it is stopped, when it has nothing to do with the machine's. */
  offset: number;
  /** The sandbox's times at which its clock was stopped; absent while it runs. */
  still?: { now: number; steady: number };
  /** Whether payments are processed on every day, whatever the days of their scheme. */
  everyDay?: boolean;
}

/** The shift of the sandbox's clock; a single record. */
const clockRecords = (store: Collections) => store.collection<ClockShift>('clock');

interface Deps {
  /** The machine's clock. */
  clock: Clock;
  store: Collections;
  /** The time (ms since the epoch) at which the clock is stopped until it is changed; without it, it is the machine's. */
  start?: number | undefined;
  /** Whether payments are processed on every day until that is changed. */
  everyDay: boolean;
}

/**
 * The sandbox's clock, which can be moved and stopped; tokens, links, consents and jobs follow it. The shift is stored
 * until the sandbox is emptied. Of timers set while the clock is stopped, only those that are due at once fire; `changed`
 * is called after each change, so that timers can be set again.
 */
export function createMovableClock({ clock, store, start, everyDay }: Deps) {
  const stored = clockRecords(store);
  const machineTime: ClockShift = { offset: 0, ...(everyDay && { everyDay }) };
  const initial = start === undefined ? machineTime : { ...machineTime, still: { now: start, steady: start } };
  let shift: ClockShift = initial;
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
    setTimeout: (run: () => void, ms: number) => (shift.still && ms > 0 ? undefined : clock.setTimeout(run, ms)),
    clearTimeout: (id: unknown) => clock.clearTimeout(id),
    /** Reads the stored shift; until then the clock shows its initial time. */
    async load(): Promise<void> {
      shift = (await stored.find('clock')) ?? initial;
    },
    onChange(run: () => Promise<void>): void {
      changed = run;
    },
    state: () => ({
      offset: shift.still ? shift.still.steady - clock.steady() : shift.offset,
      still: shift.still !== undefined,
      ...(shift.everyDay && { everyDay: true }),
    }),
    /** Moves the clock by `ms`: forward, or back if negative. */
    move(ms: number): Promise<void> {
      const { offset, still } = shift;
      return set({
        ...shift,
        ...(still ? { still: { now: still.now + ms, steady: still.steady + ms } } : { offset: offset + ms }),
      });
    },
    stop(): Promise<void> {
      const { offset, still } = shift;
      return set({ ...shift, offset: 0, still: still ?? { now: clock.now() + offset, steady: steady() } });
    },
    /** Restarts the clock from its current time. */
    run(): Promise<void> {
      const { still, offset, ...others } = shift;
      return set({ ...others, offset: still ? still.steady - clock.steady() : offset });
    },
    /** Has payments processed on every day, or on the days of their scheme only. */
    process(onEveryDay: boolean): Promise<void> {
      const { everyDay: _, ...others } = shift;
      return set({ ...others, ...(onEveryDay && { everyDay: true }) });
    },
    /** Sets the clock to the machine's time, and the days of processing to those at the start. */
    reset: () => set(machineTime),
  };
}

export type MovableClock = ReturnType<typeof createMovableClock>;
