import { wronglyShown } from './atRest.ts';
import { broken } from './invariants.ts';
import { onboard, type Company } from './onboard.ts';
import { emptyLedger, invoicesOf, looks, pays, settles } from './users.ts';
import { hostilities, networkAccidents } from './network.ts';
import type { Climate } from './climate.ts';
import { openWorld, type Start, type World, type WorldOptions } from './world.ts';

/** What became of one world. */
export interface Outcome {
  seed: number;
  /** What is wrong, a sentence each. */
  wrong: string[];
  hash: string;
  steps: number;
  /** By the numbers of their places. */
  accidents: ReadonlyMap<number, string>;
  lines: readonly string[];
}

/** A climate of some accidents, chosen by the seed. */
function someClimate({ scheduler: { pick, chance, random } }: World): Climate {
  const some = <Name extends string>(names: readonly Name[], most: number) =>
    Object.fromEntries(names.filter(() => chance(0.4)).map((name) => [name, random() * most])) as Partial<
      Record<Name, number>
    >;
  const rarely = (most: number) => (chance(0.5) ? random() * most : 0);
  return {
    network: chance(0.7) ? some(networkAccidents, 0.12) : {},
    service: chance(0.6) ? some(hostilities, 0.08) : {},
    disk: chance(0.6) ? some(['dies-before', 'dies-after', 'full'], pick([0.002, 0.01, 0.03])) : {},
    webhooks: { lost: rarely(0.5), twice: rarely(0.3), late: rarely(0.5), forged: rarely(0.2) },
    line: { requestLost: rarely(0.1), answerLost: rarely(0.2) },
    machine: { killed: 0.4, clockSet: rarely(0.3), sessionEnded: rarely(0.3) },
  };
}

/** A company that can pay, and the state of a world in which it exists. */
interface Onboarded {
  company: Company;
  start: Start;
}

let onboarded: Onboarded | undefined;

/** Onboards a company in a world without accidents, once for each process: three quarters of a world's calls are that. */
async function onboardOnce(): Promise<Onboarded> {
  if (onboarded) return onboarded;
  const world = await openWorld(0);
  let company: Company | undefined;
  await world.run(onboard(world).then((made) => void (company = made)));
  await world.run(world.scheduler.wait(120_000));
  onboarded = { company: company!, start: await world.state() }; // just made
  await world.close();
  return onboarded;
}

/** How many worlds begin with nothing: one in this many. */
const fromNothing = 20;

/** Runs one world, from nothing or from a company that can pay, to rest. */
export async function simulate(seed: number, options: Omit<WorldOptions, 'from'> = {}): Promise<Outcome> {
  const known = seed % fromNothing === 0 ? undefined : await onboardOnce();
  const world = await openWorld(seed, { ...options, from: known?.start });
  const { scheduler } = world;
  const ledger = emptyLedger();
  const wrong: string[] = [];
  try {
    let company = known?.company;
    if (!company) await world.run(onboard(world).then((made) => void (company = made)));
    world.become(someClimate(world));
    const invoices = invoicesOf(company!); // just made
    const user = async () => {
      for (let payment = scheduler.between(1, 3); payment > 0; payment -= 1) {
        const chosen = invoices.filter(() => scheduler.chance(0.3));
        if (chosen.length > 0) await pays(world, company!, ledger, chosen);
        await scheduler.wait(scheduler.between(1, 60_000));
      }
    };
    /** What happens to the machine of the console. */
    const machine = async () => {
      for (let left = scheduler.between(0, 3); left > 0; left -= 1) {
        await scheduler.wait(scheduler.between(1, 90_000));
        world.strikeMachine();
      }
    };
    await world.run(Promise.all([user(), user(), looks(world, ledger, 4), machine()]));
    world.heal();
    await scheduler.until(() => world.isRunning());
    await world.run(scheduler.wait(600_000));
    let unsettled: string[] = [];
    await world.run(settles(world, ledger).then((left) => void (unsettled = left)));
    wrong.push(...(await broken(world, ledger, unsettled)));
    await world.run(wronglyShown(world, ledger).then((found) => void wrong.push(...found)));
  } catch (error) {
    wrong.push(`The world ended: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  const outcome = {
    ...{ seed, wrong, hash: scheduler.hash(), steps: scheduler.steps },
    ...{ accidents: world.accidents, lines: scheduler.lines ?? [] },
  };
  await world.close();
  return outcome;
}

/** Leaves out the accidents that a failure does not need, one after the other. Returns the shortest failing world. */
export async function shrink({ seed, accidents }: Pick<Outcome, 'seed' | 'accidents'>): Promise<Outcome> {
  const without = new Set<number>();
  for (const place of [...accidents.keys()].reverse()) {
    without.add(place);
    const { wrong } = await simulate(seed, { without });
    if (wrong.length === 0) without.delete(place);
  }
  return simulate(seed, { without, traces: true });
}
