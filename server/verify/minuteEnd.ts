import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './ports.ts';
import { laterClock, untilNextDay, untilOtherWorkingDay, zonesAroundMidnight } from './laterClock.ts';
import { openStage, type Setting, type Variables } from './stage.ts';
import type { Scenario } from './scenarios/scenario.ts';
import type { TestedService } from './tested.ts';

const minute = 60_000;
/** Time (ms) before the end of a minute at which the first call that pays is to come, and after it. */
const [before, after] = [1200, 300];

/** Returns the day on which a batch pays; undefined if its body names none. */
export const dayIn = (body: string): string | undefined =>
  /"requestedExecutionDateTime"\s*:\s*"(\d{4}-\d\d-\d\d)/.exec(body)?.[1];

/** A run of the program on an empty state. */
interface Probed {
  keys: readonly string[];
  /** The days on which it pays, such as `2026-11-20`. */
  days: readonly string[];
  /** Time (ms) from its start to its first call that pays, and the number of the minute of that call. */
  lead: number;
  minute: number;
}

/** A scenario in which nothing fails, by which the program is tried. */
const undisturbed: Scenario = { id: 'minute-ends', title: '', course: 'once', faults: [], checks: [] };

/**
 * Runs the program in a sandbox that is the same each time, with the same invoices and an empty state; with the clocks of both
 * `later` (ms) than the machine's.
 */
async function probe(setting: Setting, name: string, later = 0): Promise<Probed> {
  const folder = join(setting.folder, name);
  await mkdir(join(folder, 'state'), { recursive: true });
  const webhookPort = setting.webhookPort || (await freePort());
  const service = await setting.openService({ seed: setting.seed, webhookPort, env: setting.env });
  try {
    const stage = openStage({ scenario: undisturbed, service, setting, folder, webhookPort });
    const begun = Date.now();
    const invoices = service.invoicesFor(`P${setting.seed.toString(36).toUpperCase()}`, { from: 0, to: 2 });
    if (later > 0) await service.setClockOn?.(later);
    const more = later > 0 && service.setClockOn ? await laterClock(join(folder, 'clock'), later, setting.env) : {};
    const { program, ended } = await stage.start(invoices, { more });
    await stage.firstWrite(program);
    // Further batches follow soon, if there are any.
    await Promise.race([pause(before), ended]);
    program.kill();
    await ended;
    const writes = service.calls().filter(({ operation }) => operation === 'createBatch');
    const first = writes[0]?.at ?? begun;
    const keys = writes.flatMap(({ headers }) => headers['x-idempotency-key'] ?? []);
    const days = writes.flatMap(({ body }) => dayIn(body) ?? []);
    return { keys, days, lead: first - begun, minute: Math.floor(first / minute) };
  } finally {
    await service.close();
  }
}

/** What two or three runs that know nothing of each other have shown. */
interface Derived {
  /** The time (ms) that the program needs to its first call that pays. */
  lead: number;
  /** Whether the program's clock can be set on. */
  isMovable: boolean;
}

/**
 * Finds out whether the program makes its keys from the invoices, so that a later time may change them: two runs that know
 * nothing of each other then have the same one, within a minute. Undefined if it does not, or if it has the same key days
 * later, by a clock that its value date follows.
 */
async function derivedLead(setting: Setting, time = 0): Promise<Derived | undefined> {
  const first = probe(setting, `probe-${time}-1`);
  if (setting.isAlone) await first;
  const [one, other] = await Promise.all([first, probe(setting, `probe-${time}-2`)]);
  if (one.minute !== other.minute && time < 2) return derivedLead(setting, time + 1);
  const isSameKey = (next: Probed) => one.keys.some((key) => next.keys.includes(key));
  if (!isSameKey(other)) return undefined;
  const later = await probe(setting, `probe-${time}-3`, untilOtherWorkingDay(Date.now()));
  const isMovable = later.days.some((day) => !one.days.includes(day));
  return isMovable && isSameKey(later) ? undefined : { lead: Math.max(one.lead, other.lead), isMovable };
}

/** What was found out, by verification. */
const known = new WeakMap<Setting, Promise<Derived | undefined>>();

/** How time passes between the runs of a scenario, or the attempts of one. */
export interface Times {
  /** Variables of the first run, and of the last one. */
  before: Variables;
  after: Variables;
  /** Waits until the time has passed, also at the service. */
  pass: (service: TestedService) => Promise<void>;
  isClockLeft: boolean;
}

const usual: Times = { before: {}, after: {}, pass: () => Promise.resolve(), isClockLeft: false };

/**
 * Waits until the program, if it is started now, pays first just before a minute ends, where the scenario says so. If a day is
 * to end between two runs, the clocks of program and service are set on instead, where they can be; otherwise the program's
 * time zone is moved. Undefined if its keys are not made from the invoices, or do not change with the time.
 */
export async function timesFor({ atMinuteEnd, dayEnds }: Scenario, setting: Setting): Promise<Times | undefined> {
  if (!atMinuteEnd) return usual;
  const found = known.get(setting) ?? derivedLead(setting);
  known.set(setting, found);
  const derived = await found;
  if (derived === undefined) return undefined;
  const { interrupted: signal, folder, env } = setting;
  if (dayEnds && derived.isMovable) {
    const ms = untilNextDay(Date.now());
    const variables = await laterClock(join(folder, 'clock'), ms, env);
    return { ...usual, after: variables, pass: async ({ setClockOn }) => setClockOn?.(ms) };
  }
  const early = derived.lead + before;
  const end = Math.ceil((Date.now() + early) / minute) * minute;
  await pause(end - early - Date.now(), undefined, { signal });
  const [zone, nextZone] = zonesAroundMidnight(Date.now());
  return {
    ...(dayEnds ? { before: { TZ: zone }, after: { TZ: nextZone } } : usual),
    pass: () => pause(Math.max(0, end + after - Date.now()), undefined, { signal }),
    isClockLeft: dayEnds ?? false,
  };
}
