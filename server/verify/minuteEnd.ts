import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './ports.ts';
import { openStage, type Setting } from './stage.ts';
import type { Scenario } from './scenarios/scenario.ts';

const minute = 60_000;
/** Time (ms) before the end of a minute at which the first call that pays is to come, and after it. */
const [before, after] = [1200, 300];

/** A run of the program on an empty state. */
interface Probed {
  keys: readonly string[];
  /** Time (ms) from its start to its first call that pays, and the number of the minute of that call. */
  lead: number;
  minute: number;
}

/** A scenario in which nothing fails, by which the program is tried. */
const undisturbed: Scenario = { id: 'minute-ends', title: '', course: 'once', faults: [], checks: [] };

/** Runs the program in a sandbox that is the same each time, with the same invoices and an empty state. */
async function probe(setting: Setting, name: string): Promise<Probed> {
  const folder = join(setting.folder, name);
  await mkdir(join(folder, 'state'), { recursive: true });
  const webhookPort = setting.webhookPort || (await freePort());
  const service = await setting.openService({ seed: setting.seed, webhookPort, env: setting.env });
  try {
    const stage = openStage({ scenario: undisturbed, service, setting, folder, webhookPort });
    const begun = Date.now();
    const invoices = service.invoicesFor(`P${setting.seed.toString(36).toUpperCase()}`, { from: 0, to: 2 });
    const { program, ended } = await stage.start(invoices);
    await stage.firstWrite(program);
    // Further batches follow soon, if there are any.
    await Promise.race([pause(before), ended]);
    program.kill();
    await ended;
    const writes = service.calls().filter(({ operation }) => operation === 'createBatch');
    const first = writes[0]?.at ?? begun;
    const keys = writes.flatMap(({ headers }) => headers['x-idempotency-key'] ?? []);
    return { keys, lead: first - begun, minute: Math.floor(first / minute) };
  } finally {
    await service.close();
  }
}

/**
 * Finds out whether the program makes its keys from the invoices: two runs that know nothing of each other then have the
 * same one, within a minute. Resolves to the time (ms) that it needs to its first call that pays; undefined if it does not.
 */
async function derivedLead(setting: Setting, time = 0): Promise<number | undefined> {
  const first = probe(setting, `probe-${time}-1`);
  if (setting.isAlone) await first;
  const [one, other] = await Promise.all([first, probe(setting, `probe-${time}-2`)]);
  if (one.minute !== other.minute && time < 2) return derivedLead(setting, time + 1);
  return one.keys.some((key) => other.keys.includes(key)) ? Math.max(one.lead, other.lead) : undefined;
}

/** What was found out, by verification. */
const known = new WeakMap<Setting, Promise<number | undefined>>();

/**
 * Waits until the program, if it is started now, pays first just before a minute ends. Resolves to what waits until the
 * minute has ended; undefined if its keys are not made from the invoices, so that no minute can change them.
 */
export async function untilMinuteEnds(setting: Setting): Promise<(() => Promise<void>) | undefined> {
  const found = known.get(setting) ?? derivedLead(setting);
  known.set(setting, found);
  const lead = await found;
  if (lead === undefined) return undefined;
  const { interrupted: signal } = setting;
  const early = lead + before;
  const end = Math.ceil((Date.now() + early) / minute) * minute;
  await pause(end - early - Date.now(), undefined, { signal });
  return () => pause(Math.max(0, end + after - Date.now()), undefined, { signal });
}
