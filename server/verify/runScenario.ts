import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Evidence, Invoice, SeenWebhook } from '#server/programs/checks/evidence.ts';
import { claimsIn, isNeedlesslyUnknown, programClaims } from '#server/programs/checks/claims.ts';
import { isLeftAlone, openInvoices } from '#server/programs/checks/settled.ts';
import { freePort, isListening } from './ports.ts';
import type { Ended, Started } from './program.ts';
import { scenarios } from './scenarios/index.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { timesFor, type Times } from './minuteEnd.ts';
import { openTrap } from './redirectTrap.ts';
import { slownessNow } from './slowness.ts';
import { watchStandstills } from './standstill.ts';
import { glance, openStage, type Setting, type Stage } from './stage.ts';
import type { TestedService } from './tested.ts';
import { sendAll, sendMisleading, webhookSender } from './webhookTests.ts';

/** What was seen in a scenario. */
export interface Observed {
  evidence: Evidence;
  /** The end of what each run has printed. */
  outputs: readonly string[];
  /** The service's address. */
  url: string;
  ms: number;
  /** Why the service shows nothing, unless something is to fail; '' if it does. */
  trouble: string;
  /** Whether a day was to end for the program, and its clock could not be set on. */
  isClockLeft?: boolean;
  /** How long (ms) the machine stood still meanwhile, by seconds and more; absent where nobody has looked. */
  stoodStill?: number;
}

/** Time (ms) that a program has to listen for webhooks once it pays; longer on a slow machine. */
const listening = 1500;
/** Interval (ms) at which the batches of a program that receives webhooks advance in the end. */
const soon = 500;

/** Whether the program listens for webhooks, or begins to soon. */
async function isReceiver({ webhookPort }: Stage, { isRunning }: Started): Promise<boolean> {
  const until = Date.now() + listening * (await slownessNow());
  while (isRunning() && Date.now() < until) {
    if (await isListening(webhookPort)) return true;
    await pause(4 * glance);
  }
  return false;
}

/** Sends the scenario's webhooks if the program listens, and completes its batches. Returns the webhooks. */
async function sendWebhooks(
  stage: Stage,
  program: Started,
  service: TestedService,
  sendThem: typeof sendAll,
): Promise<SeenWebhook[]> {
  const batchId = await stage.firstBatch(program);
  if (batchId === undefined) return [];
  const form = service.webhookForm;
  const isTold = form !== undefined && (await isReceiver(stage, program));
  const sent = isTold
    ? await stage.sending(() => sendThem(webhookSender(stage.webhookPort, form, batchId), service))
    : [];
  await stage.stepEvery(soon, program);
  return sent;
}

/** The invoices that the program pays, and those that it pays when it runs again. */
interface Work {
  invoices: readonly Invoice[];
  next: readonly Invoice[];
  /** Those that are paid afterwards, file by file: by two instances, or in place of what came back. */
  rounds: readonly (readonly Invoice[])[];
}

/** Runs the program as the scenario says; resolves with the webhooks that the scenario has sent itself. */
async function perform(
  { course, faults, killedAt, stepEvery, webhooks, misled, repeats, later = [] }: Scenario,
  stage: Stage,
  { invoices, next, rounds }: Work,
  service: TestedService,
  times: Times,
): Promise<SeenWebhook[]> {
  if (course === 'twice') {
    const port = await freePort();
    for (const [index, round] of [invoices, ...rounds].entries()) {
      const ends: Promise<Ended>[] = [];
      const start = async () => {
        const both = await Promise.all([stage.start(round), stage.start(round, { port })]);
        ends.push(...both.map(({ ended }) => ended));
        return both.map(({ program }) => program);
      };
      // In turns, and once at the same moment: the state of a program may be elsewhere.
      await stage.meet(start, index !== 1);
      await Promise.all(ends);
    }
    return [];
  }
  const { program, ended } = await stage.start(invoices, { more: times.before });
  const runAgain = async (file: readonly Invoice[]) => (await stage.start(file)).ended;
  switch (course) {
    case 'once':
    case 'later': {
      const sent =
        webhooks || misled
          ? sendWebhooks(stage, program, service, misled ? sendMisleading : sendAll)
          : Promise.resolve([]);
      if (killedAt) void stage.killAt(killedAt, program, 0);
      if (stepEvery !== undefined && (await stage.firstBatch(program)) !== undefined)
        await stage.stepEvery(stepEvery, program);
      await ended;
      if (course === 'once') return sent;
      // What is to become of the payments in the days after, has.
      await stage.settle();
      for (const rule of later) await service.addFault(rule);
      const files = [invoices, ...rounds];
      for (const file of files) await (await stage.start(file, { isLater: true })).ended;
      return [];
    }
    case 'killed': {
      let run = { program, ended };
      for (const [index, rule] of faults.entries()) {
        const known = service.calls().length;
        if (index > 0) {
          await service.addFault(rule);
          run = await stage.start(invoices);
        }
        const hasCome = await stage.killAt(killedAt ?? 'accepted', run.program, known);
        await run.ended;
        if (!hasCome) return [];
        await service.clearFaults();
      }
      await times.pass(service);
      await (
        await stage.start(invoices, { more: times.after })
      ).ended;
      return [];
    }
    case 'again':
      await ended;
      if (repeats) await service.clearFaults();
      await runAgain(next);
      return [];
  }
}

/** Returns the invoices of a scenario: those of its first file, and of the next one. */
function workFor(
  { alike, toOne, foreign, words, repeats, byFile, course }: Scenario,
  service: TestedService,
  prefix: string,
): Work {
  const invoices = service.invoicesFor(prefix, {
    from: 0,
    to: 3,
    alike,
    toOne,
    foreign,
    byFile,
    words,
  });
  // Another service has its own payments for each, and perhaps no calls for a token.
  if (course === 'twice' && service.reading === undefined) {
    const rounds = [3, 6, 9].map((from) => service.invoicesFor(prefix, { from, to: from + 3 }));
    return { invoices, next: [], rounds };
  }
  const back = words?.indexOf('returns') ?? -1;
  const replaced = invoices[back];
  if (replaced) {
    const { id: replaces, creditorId, amount, currency } = replaced;
    const [{ creditorName }] = service.invoicesFor(prefix, { from: back, to: back + 1 }) as [Invoice]; // without the word
    const again = service
      .invoicesFor(prefix, { from: 3, to: 4 })
      .map((invoice) => ({ ...invoice, creditorId, creditorName, amount, currency, replaces }));
    return { invoices, next: [], rounds: [again] };
  }
  const added = service.invoicesFor(prefix, { from: 3, to: alike ? 6 : 5, alike, byFile });
  if (!repeats) return { invoices, next: added, rounds: [] };
  const [first, ...others] = added;
  return { invoices, next: [...(first ? [first] : []), ...invoices.toReversed(), ...others], rounds: [] };
}

/** Returns all invoices that the program was asked to pay. */
const invoicesIn = ({ course }: Scenario, { invoices, next, rounds }: Work): Invoice[] => [
  ...new Set([...invoices, ...(course === 'again' ? next : []), ...rounds.flat()]),
];

/** Whether a program has read no batch, and does not know yet what became of the invoices. */
const leavesReading = (evidence: Evidence): boolean =>
  evidence.calls.every(({ operation }) => operation !== 'batch') &&
  programClaims(evidence).some(({ outcome }) => outcome === 'unknown');

/** Returns the invoices whose outcome the latest run has read, and says it does not know: the next one would say the same. */
const knownUnknown = (evidence: Evidence): string[] =>
  evidence.runs
    .slice(-1)
    .flatMap((run) => claimsIn(evidence, run))
    .filter(isNeedlesslyUnknown)
    .map(({ invoiceId }) => invoiceId);

/** How often a program is started again for what it has left open. */
const mostLater = 2;

/**
 * Starts the program again while invoices are open, now that nothing fails any more; resolves to the evidence at the end.
 * Where nothing has failed before, the first run has to pay. One that did not end by itself would not do so again.
 */
async function settled(
  { course, limit, faults, repeats, later: laterFaults }: Scenario,
  stage: Stage,
  { invoices, next, rounds }: Work,
  service: TestedService,
  atRest: () => Promise<Evidence>,
): Promise<Evidence> {
  let evidence = await atRest();
  if (evidence.runs.length === 0) return evidence;
  const isEnded = evidence.runs.every(({ ended }) => ended !== 'limit') || limit !== undefined;
  const isUndisturbed = faults.length === 0 && !repeats && !laterFaults;
  const most = isUndisturbed || !isEnded ? 0 : course === 'killed' ? mostLater - 1 : mostLater;
  // A program whose next run reads meets there what its first run, which only sent, has not met.
  const unmet = course !== 'killed' && leavesReading(evidence) ? faults.filter(({ of }) => of === 'batch') : [];
  for (const rule of unmet) await service.addFault(rule);
  for (const file of [repeats ? next : invoices, ...rounds]) {
    const isOpen = () => {
      const known = knownUnknown(evidence);
      const open = openInvoices(evidence).filter(({ id }) => !known.includes(id));
      return open.some(({ id }) => rounds.length === 0 || file.some((invoice) => invoice.id === id));
    };
    for (let later = 0; later < most && (isOpen() || later < Math.min(unmet.length, 1)); later += 1) {
      const isCutOff = evidence.runs.some(({ ended }) => ended !== 'itself');
      if (isCutOff && isLeftAlone(evidence)) await stage.untilLeasesEnd();
      const { ended } = await (await stage.start(file, { isLater: true })).ended;
      evidence = await atRest();
      if (ended !== 'itself') return evidence;
    }
  }
  return evidence;
}

/** The letters with which the ids of a scenario's invoices begin, in this verification alone. */
function prefixOf(scenario: Scenario, seed: number, isAgain: boolean): string {
  const own = 36 + scenarios.findIndex(({ id }) => id === scenario.id);
  return `R${seed.toString(36).toUpperCase()}${own.toString(36).toUpperCase()}${isAgain ? 'A' : ''}`;
}

/** Runs the program at a service in the scenario's situation, and returns what was seen; a second time with other invoices. */
export async function runScenario(scenario: Scenario, setting: Setting, isAgain = false): Promise<Observed> {
  const begun = performance.now();
  const folder = join(setting.folder, isAgain ? `${scenario.id}-again` : scenario.id);
  await mkdir(join(folder, 'state'), { recursive: true });
  const webhookPort = setting.webhookPort || (await freePort());
  const service = await setting.openService({ seed: setting.seed, webhookPort, env: setting.env });
  const trap = await openTrap();
  let isStopped = () => false;
  const stoodStill = watchStandstills(() => isStopped());
  try {
    for (const rule of scenario.course === 'killed' ? scenario.faults.slice(0, 1) : scenario.faults)
      await service.addFault(
        rule.on === 'call' && rule.fault.kind === 'redirect'
          ? { ...rule, fault: { kind: 'redirect', to: trap.url } }
          : rule,
      );
    const prefix = prefixOf(scenario, setting.seed, isAgain);
    const work = workFor(scenario, service, prefix);
    const stage = openStage({ scenario, service, setting, folder, webhookPort });
    isStopped = stage.isStopped;
    const times = await timesFor(scenario, setting);
    const sent = times ? await perform(scenario, stage, work, service, times) : [];
    const { reading, secrets } = service;
    const atRest = async (): Promise<Evidence> => {
      await stage.settle();
      return {
        scenario: scenario.id,
        calls: service.calls(),
        webhooks: [...service.webhooks(), ...sent],
        batches: await service.batches(),
        invoices: invoicesIn(scenario, work),
        runs: stage.runs,
        outputs: stage.outputs,
        redirected: trap.calls,
        secrets,
        works: reading === undefined,
        ...(reading && { reading }),
      };
    };
    const evidence = await settled(scenario, stage, work, service, atRest);
    const trouble = await service.trouble();
    return {
      evidence,
      outputs: stage.outputs,
      url: service.url,
      ms: performance.now() - begun,
      trouble,
      isClockLeft: times?.isClockLeft ?? false,
      stoodStill: stoodStill(),
    };
  } finally {
    stoodStill();
    await trap.close();
    await service.close();
  }
}
