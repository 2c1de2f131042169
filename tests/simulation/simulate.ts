import { defaultApplication } from '#server/sandbox/credentials.ts';
import type { RecordedApplication } from '#server/sandbox/recorded.ts';
import { program } from '#tests/accidents/tab.ts';
import { afterwards } from './afterPaid.ts';
import { atRest, type AtRest } from './atRest.ts';
import { climateAfter, someClimate, type Climate } from './climate.ts';
import { coveredBy, nothing, type Covered } from './coverage.ts';
import { wrongGates } from './gates.ts';
import { unpayable, wronglyCovered } from './covered.ts';
import type { Recorded } from './decisions.ts';
import { bankingDays, weekendOf } from './bankingDays.ts';
import { broken } from './invariants.ts';
import { consoleUrl } from './network.ts';
import { onboard, type Company } from './onboard.ts';
import { madeTooOften, names, peopleUse } from './pages.ts';
import { newProgramNotes, runsProgram, wrongForPrograms } from './programs.ts';
import { leaks, secretsOf, sharedBetweenWorkspaces } from './secrets.ts';
import { wrongOffers } from './offers.ts';
import { wrongOfRehearsal } from './rehearsal.ts';
import { notStored } from './stored.ts';
import { wrongSuccesses } from './successes.ts';
import { shownOutOfOrder, wentBack } from './shown.ts';
import { sentUnderTwoKeys, toldNotDone, wrongAlerts } from './told.ts';
import { tenantsUse, type Tenant } from './tenants.ts';
import { reusesExternalId } from './reusers.ts';
import { emptyLedger, follows, invoicesOf, looks, pays, paysByFile, settles, type Ledger } from './users.ts';
import { meet, newDiary, whileOpen, type Diary } from './walks.ts';
import { writesSettings } from './writers.ts';
import { openWorld, type Start, type World, type WorldOptions } from './world.ts';

/** What became of one world. */
export interface Outcome {
  seed: number;
  /** What is wrong, a sentence each. */
  wrong: string[];
  hash: string;
  steps: number;
  /** How often scripts tried to pay, repeats included. */
  attempts: number;
  /** By the numbers of their places. */
  accidents: ReadonlyMap<number, string>;
  covered: Covered;
  lines: readonly string[];
  /** Its exchanges as an HTTP archive; '' unless they were recorded. */
  har: string;
  /** What was decided in it, by which it is repeated even when the seed decides otherwise. */
  decisions: Recorded;
  /** What it is at rest, for each application; empty unless it was asked for. */
  atRest: readonly AtRest[];
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

/**
 * Who uses a world: `scripts` pay by the page's calls, `pages` are users of the page and their programs, and `tenants` sign
 * in, each to a workspace of their own.
 */
type Kind = 'scripts' | 'pages' | 'tenants';
export const kindOf = (seed: number): Kind => (seed % 20 === 7 ? 'tenants' : seed % 5 === 3 ? 'pages' : 'scripts');
/** Whether a world begins with nothing: one in twenty of those with scripts, and one in four with pages. */
const isFromNothing = (seed: number): boolean => [0, 3, 7].includes(seed % 20);

/** What happens to the machine of the console. */
async function strikes(world: World): Promise<void> {
  const { scheduler } = world;
  const choice = scheduler.of('strikes at the machine');
  for (let left = choice.between(0, 3); left > 0; left -= 1) {
    // Most journeys are open soon, and for seconds.
    await scheduler.wait(choice.between(1, choice.chance(0.5) ? 20_000 : 90_000));
    world.strikeMachine();
  }
}

/** What happens to the payments of some batches after they were sent. */
async function strikesAtBank(world: World): Promise<void> {
  const { scheduler } = world;
  const choice = scheduler.of('strikes at the bank');
  for (let left = choice.between(0, 3); left > 0; left -= 1) {
    await world.strikeBank();
    await scheduler.wait(choice.between(1, 60_000));
  }
}

/** Sets the service's clock forward, by the climate. */
async function setsServiceClock(world: World, { times, most }: Climate['serviceSet']): Promise<void> {
  const { scheduler } = world;
  const { between } = scheduler.of('the service’s clock');
  for (let left = times; left > 0; left -= 1) {
    await scheduler.wait(between(1, 240_000));
    await world.setService(between(60_000, most));
  }
}

/** Reads what shows most of a workspace, so that it can be searched for secrets. */
async function reads({ api }: World): Promise<void> {
  for (const name of ['getPostedBatches', 'getTimeline', 'getFacts', 'listMessages', 'listWebhooks'] as const)
    await api.done(name);
}

/** Lets users pay by scripts. */
async function paysByScripts(world: World, company: Company, ledger: Ledger, diary: Diary): Promise<void> {
  const { scheduler } = world;
  const invoices = invoicesOf(company);
  const user = async (name: string) => {
    const choice = scheduler.of(name);
    for (let payment = choice.between(1, 3); payment > 0; payment -= 1) {
      const chosen = invoices.filter(() => choice.chance(0.3));
      if (chosen.length > 0)
        await whileOpen(diary, 'electronicPayment', pays(world, company, ledger, chosen, { choice, patience: 60_000 }));
      await scheduler.wait(choice.between(1, 60_000));
    }
  };
  const late = scheduler.of('users').chance(0.3)
    ? [whileOpen(diary, 'filePayment', paysByFile(world, company, ledger, 'a user of files'))]
    : [];
  const writer = scheduler.of('users').chance(0.25) ? [writesSettings(world)] : [];
  const reuser = scheduler.of('users').chance(0.2) ? [reusesExternalId(world, company, ledger)] : [];
  const follower = scheduler.of('users').chance(0.35) ? [follows(world, ledger)] : [];
  const others = [...late, ...writer, ...reuser, ...follower];
  await Promise.all([user('a user'), user('another user'), looks(world, ledger, 4), ...others]);
}

/** How long (ms) everything that happens by itself takes to end. */
const untilRest = 600_000;

const nothingAfter: { wrong: string[]; happened: string[] } = { wrong: [], happened: [] };

/** Runs the users of a world to its rest. Returns what is wrong. */
async function live(
  world: World,
  {
    kind,
    known,
    isBroken,
    isDescribed,
    isOnBankingDays,
  }: { kind: Kind; known: Company | undefined; isBroken: boolean; isDescribed: boolean; isOnBankingDays: boolean },
): Promise<Pick<Outcome, 'wrong' | 'covered' | 'attempts' | 'atRest'>> {
  const { scheduler, sandbox, exchanges } = world;
  const [ledger, diary, notes] = [emptyLedger(), newDiary(), newProgramNotes()];
  const { wrong } = diary;
  const run = async <T>(promise: Promise<T>): Promise<T> => {
    await world.run(promise);
    return promise;
  };
  const company = known ?? (kind === 'scripts' ? await run(onboard(world)) : undefined);
  const before = sandbox.calls().length;
  let tenants: Tenant[] = [];
  const audit = async () => (kind === 'tenants' ? [] : notStored(world.quiet, exchanges));
  // The worlds of scripts stay as they were when each of their seeds failed.
  if (kind === 'pages') world.whenStarted(() => void audit().then((found) => wrong.push(...(found ?? []))));
  world.whenStruck((accident) => meet(diary, accident));
  const hasRehearsal = kind === 'pages' && scheduler.of('a rehearsal').chance(0.2);
  const climate = climateAfter(known, someClimate(scheduler, hasRehearsal));
  world.become(isBroken ? { ...climate, service: { ...climate.service, 'forgets-key': 0.9 } } : climate);
  const users = {
    scripts: () => [
      paysByScripts(world, company!, ledger, diary), // made above
      setsServiceClock(world, climate.serviceSet),
      strikesAtBank(world),
    ],
    tenants: () => [tenantsUse(world).then((those) => void (tenants = those))],
    pages: () => [
      peopleUse(world, { ledger, diary, fromNothing: !company, hasRehearsal }),
      ...(company && scheduler.of('users').chance(0.5) ? [runsProgram(world, company, notes)] : []),
    ],
  };
  await run(Promise.all([...users[kind](), strikes(world)]));
  await run(world.heal());
  await scheduler.until(() => world.isRunning());
  await run(scheduler.wait(untilRest));
  world.forget();
  const records: RecordedApplication[] = [];
  /** A workspace has the application of its name. */
  const workspaces = [defaultApplication, ...tenants.flatMap((each) => each.company.application)];
  const rest: AtRest[] = [];
  for (const payer of kind === 'tenants' ? tenants : [{ world, company, ledger, name: '' }]) {
    const unsettled = await run(settles(payer.world, payer.ledger));
    // What is sent to settle a payment may be paid only now, and come back.
    await run(scheduler.wait(untilRest));
    const its = await sandbox.recordsOf(payer.company?.application ?? defaultApplication);
    wrong.push(...broken(its.batches, payer.ledger, unsettled));
    records.push(its);
    if (!isDescribed) continue;
    const own = exchanges.filter((each) => kind !== 'tenants' || each.workspace === payer.name);
    rest.push(await run(atRest(payer.world, its.batches, own)));
  }
  wrong.push(...world.errors.map((error) => `Nobody handled: ${String(error)}`));
  const service = [...world.accidents.values()].filter((each) => each.startsWith('service '));
  const isServiceTrue = !service.some((each) => /earlier|other-answer/.test(each));
  const after = kind === 'scripts' ? await run(afterwards(world, records[0]!.batches, isServiceTrue)) : nothingAfter; // theirs
  wrong.push(...after.wrong);
  if (kind === 'scripts') {
    wrong.push(...(await run(wronglyCovered(world, company!)))); // made above
    wrong.push(...(await run(unpayable(world, ledger))));
  }
  if (kind !== 'tenants') await run(reads(world));
  wrong.push(...((await run(audit())) ?? ['What is stored cannot be read.']));
  const days = isOnBankingDays ? await run(bankingDays(world, records[0]!.batches)) : nothingAfter; // theirs
  wrong.push(...days.wrong);
  const isTimeTrue = climate.serviceAhead === 0 && ![...world.accidents.values()].includes('machine clockSet');
  const calls = records.flatMap((each) => each.calls);
  const truth = { calls, webhooks: world.webhooks(), reads: world.heardReads, exchanges, isTimeTrue };
  wrong.push(...world.wrong, ...wentBack(exchanges), ...wrongGates(diary.gates, truth), ...wrongOffers(diary.gates));
  if (kind === 'pages') {
    const its = records[0]!; // theirs
    wrong.push(...wrongSuccesses(diary.successes, its), ...wrongOfRehearsal(exchanges, its.batches));
  }
  wrong.push(...wrongAlerts(diary.alerts, exchanges), ...toldNotDone(exchanges, truth.calls, workspaces));
  wrong.push(...sentUnderTwoKeys(exchanges, new Set(names)));
  if (isServiceTrue) wrong.push(...shownOutOfOrder(exchanges));
  if (kind === 'pages') wrong.push(...madeTooOften(diary, truth.calls.slice(before), notes.paid));
  wrong.push(...(await wrongForPrograms(world, notes, service.length === 0)));
  wrong.push(...leaks(secretsOf(truth.calls, exchanges), exchanges, world.log));
  if (kind === 'tenants') wrong.push(...sharedBetweenWorkspaces(exchanges, world.mistold));
  return {
    wrong,
    atRest: rest,
    covered: {
      ...coveredBy(diary, exchanges),
      changes: world.disk.changes(),
      days: [...days.happened, ...after.happened],
    },
    attempts: [ledger, ...tenants.map((each) => each.ledger)].reduce((sum, { told }) => sum + told.length, 0),
  };
}

interface Options extends Omit<WorldOptions, 'from' | 'everyDay' | 'hasUsers' | 'keepsTimeline'> {
  /** Whether the service breaks its promise to know a key again, so that an invariant must fail. */
  isBroken?: boolean;
  /** Whether it is described at rest. */
  isDescribed?: boolean;
}

/** Runs one world, from nothing or from a company that can pay, to rest. */
export async function simulate(
  seed: number,
  { isBroken = false, isDescribed = false, ...options }: Options = {},
): Promise<Outcome> {
  const kind = kindOf(seed);
  const known = isFromNothing(seed) ? undefined : await onboardOnce();
  const weekend = weekendOf(seed);
  if (kind === 'pages') await program(); // what bundles it lives in the real world
  const world = await openWorld(seed, {
    ...options,
    from: known && { ...known.start, at: weekend ?? known.start.at },
    everyDay: weekend === undefined,
    hasUsers: kind === 'tenants',
    keepsTimeline: kind !== 'scripts' || seed % 4 === 1,
  });
  const { scheduler, accidents } = world;
  const isOnBankingDays = weekend !== undefined;
  const mode = { kind, known: known?.company, isBroken, isDescribed, isOnBankingDays };
  const lived = await live(world, mode).catch((error: unknown) => ({
    wrong: [`The world ended: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
    covered: nothing,
    attempts: 0,
    atRest: [],
  }));
  const outcome = {
    seed,
    ...lived,
    accidents,
    decisions: scheduler.decisions.made(),
    har: world.recording?.har(consoleUrl) ?? '',
    hash: scheduler.hash(),
    steps: scheduler.steps,
    lines: scheduler.lines ?? [],
  };
  await world.close();
  return outcome;
}

/** How often a world is run to shorten it. */
const mostRuns = 60;

/**
 * Leaves out accidents that a failure does not need, many at once and then one after the other. Each shorter world that
 * still fails is the next to be shortened, because what comes after an accident that is left out is not as before.
 */
export async function shrink(
  { seed, accidents, decisions }: Pick<Outcome, 'seed' | 'accidents' | 'decisions'>,
  options: Pick<Options, 'isBroken'> = {},
): Promise<Outcome> {
  let shortest = { accidents, decisions };
  let runs = 0;
  for (let size = Math.ceil(accidents.size / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let end = shortest.accidents.size; end > 0 && runs < mostRuns; end -= size) {
      const without = new Set([...shortest.accidents.keys()].slice(Math.max(0, end - size), end));
      const shorter = await simulate(seed, { ...options, without, recorded: shortest.decisions });
      runs += 1;
      if (shorter.wrong.length > 0 && shorter.accidents.size < shortest.accidents.size) shortest = shorter;
    }
  return simulate(seed, { ...options, recorded: shortest.decisions, traces: true });
}
