import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Evidence, Invoice, ProgramRun } from '#server/programs/checks/evidence.ts';
import type { RecordedWebhook } from '#server/sandbox/recorded.ts';
import { environmentOf } from './environment.ts';
import { freePort, isListening } from './ports.ts';
import { startProgram, type Ended, type Started } from './program.ts';
import { readResult } from './result.ts';
import type { Scenario } from './scenarios.ts';
import { invoicesFile, invoicesFor, prepare, type Prepared } from './situation.ts';
import { openTested, type Tested } from './tested.ts';
import { sendAll, webhookSender } from './webhookTests.ts';

/** What all scenarios of a verification have in common. */
export interface Setting {
  command: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  seed: number;
  /** Time (ms) after which a run of the program is ended. */
  limit: number;
  /** A folder for the files of all scenarios. */
  folder: string;
  interrupted?: AbortSignal;
}

/** What was seen in a scenario. */
export interface Observed {
  evidence: Evidence;
  /** The end of what each run has printed. */
  outputs: readonly string[];
  ms: number;
}

/** Interval (ms) at which the scenario looks at the sandbox. */
const glance = 25;
/** Time (ms) that the program should wait for a response, in seconds in its environment. */
const responseTime = 3;
/** Time (ms) after the program's end in which batches must have ended. */
const settling = 8000;

/** A sandbox in a prepared situation, and how a program is started on it. */
interface Stage {
  scenario: Scenario;
  tested: Tested;
  prepared: Prepared;
  setting: Setting;
  folder: string;
  webhookPort: number;
  runs: ProgramRun[];
  outputs: string[];
}

/** Advances the batches that wait for it by one state. */
async function step({ tested }: Stage): Promise<void> {
  const { data } = await tested.lab('GET', '/batches');
  for (const { batchId, next } of data as { batchId: string; next: string | null }[])
    if (next !== null) await tested.lab('POST', `/batches/${batchId}/step`);
}

const isEnded = (status: string): boolean => !/^(received|processing)$/i.test(status);

/** Stops all faults, which sends delayed answers, and waits until all batches have ended. */
async function settle(stage: Stage): Promise<void> {
  const { tested } = stage;
  await tested.lab('DELETE', '/faults');
  const until = Date.now() + settling;
  let [last, same] = ['', 0];
  while (Date.now() < until && same < 4) {
    await step(stage);
    const batches = await tested.batches();
    const now = JSON.stringify([batches.map(({ status }) => status), (await tested.calls()).length]);
    same = now === last && batches.every(({ status }) => isEnded(status)) ? same + 1 : 0;
    last = now;
    await pause(4 * glance);
  }
}

/** Writes a file of invoices, and returns what starts a run that pays them. */
async function runWith(stage: Stage, name: string, invoices: readonly Invoice[]) {
  const { folder, scenario, setting, prepared, runs, outputs } = stage;
  const paths = { invoices: join(folder, `invoices-${name}.json`), result: join(folder, `result-${name}.json`) };
  await writeFile(paths.invoices, `${JSON.stringify(invoicesFile(invoices, scenario.byFile ?? false), null, 2)}\n`);
  return async (webhookPort = stage.webhookPort): Promise<{ program: Started; ended: Promise<Ended> }> => {
    const places = { ...paths, state: join(folder, 'state'), webhookPort };
    const { limit, interrupted } = setting;
    const env = { ...setting.env, ...environmentOf(prepared, places) };
    const program = await startProgram(setting.command, { env, limit, interrupted });
    const index = runs.length;
    outputs[index] = '';
    const asked = invoices.map(({ id }) => id);
    runs.push({ startedAt: Date.now(), endedAt: Infinity, exitStatus: null, ended: 'itself', asked });
    const ended = program.ended.then(async (end) => {
      const result = end.ended === 'itself' ? await readResult(paths.result) : undefined;
      runs[index] = { ...end, asked, ...(result !== undefined && { result }) };
      outputs[index] = program.output();
      return end;
    });
    return { program, ended };
  };
}

/** Waits until the program has a batch; false if it ends before. */
async function firstBatch({ tested }: Stage, { isRunning }: Started): Promise<string | undefined> {
  while (isRunning()) {
    const [batch] = await tested.batches();
    if (batch) return batch.batchId;
    await pause(glance);
  }
  return undefined;
}

/** Advances the batches at these times (ms) after the first one was created, and from then on at the last interval. */
async function stepAt(stage: Stage, program: Started, times: readonly number[]): Promise<void> {
  if ((await firstBatch(stage, program)) === undefined) return;
  let before = 0;
  for (let time = times[0]; time !== undefined && program.isRunning(); time = times[times.indexOf(time) + 1] ?? time + 2000) {
    await Promise.race([pause(time - before), program.ended]);
    before = time;
    await step(stage);
  }
}

/** Sends webhooks of all kinds, if the program listens; the batch is completed in any case. */
async function sendWebhooks(stage: Stage, program: Started): Promise<RecordedWebhook[]> {
  const { webhookPort, prepared } = stage;
  const batchId = await firstBatch(stage, program);
  if (batchId === undefined) return [];
  const isReceiver = await isListening(webhookPort);
  const sent = isReceiver ? await sendAll(webhookSender(webhookPort, prepared, batchId), () => step(stage)) : [];
  await stepAt(stage, program, [0, 500]);
  return sent;
}

/** Runs the program as the scenario says; resolves with the webhooks that the scenario has sent itself. */
async function perform(stage: Stage, invoices: readonly Invoice[], next: readonly Invoice[]): Promise<RecordedWebhook[]> {
  const { scenario } = stage;
  const start = await runWith(stage, '1', invoices);
  const first = await start();
  let sent: RecordedWebhook[] = [];
  switch (scenario.course) {
    case 'once': {
      const beside = scenario.webhooks ? sendWebhooks(stage, first.program) : stepAt(stage, first.program, scenario.steps ?? []);
      await first.ended;
      sent = (await beside) ?? [];
      break;
    }
    case 'killed':
      if ((await firstBatch(stage, first.program)) !== undefined) first.program.kill();
      if ((await first.ended).ended === 'killed') await (await (await runWith(stage, '2', invoices))()).ended;
      break;
    case 'twice': {
      const other = await (await runWith(stage, '2', invoices))(await freePort());
      await Promise.all([first.ended, other.ended]);
      break;
    }
    case 'again':
      await first.ended;
      await (await (await runWith(stage, '2', next))()).ended;
      break;
  }
  return sent;
}

/** Runs the program in a fresh sandbox in the scenario's situation, and returns what was seen. */
export async function runScenario(scenario: Scenario, setting: Setting, index: number): Promise<Observed> {
  const begun = performance.now();
  const folder = join(setting.folder, scenario.id);
  await mkdir(join(folder, 'state'), { recursive: true });
  const webhookPort = await freePort();
  const webhookUrl = `http://127.0.0.1:${webhookPort}/notifications`;
  const tested = await openTested({ webhookUrl, seed: setting.seed });
  try {
    const prepared = await prepare(tested, { isFailing: scenario.failing ?? false, responseTime });
    const preparing = (await tested.calls()).length;
    for (const fault of scenario.faults) await tested.setFault(fault);
    const prefix = `R${setting.seed.toString(36).toUpperCase()}${String.fromCharCode(65 + index)}`;
    const [invoices, next] = [invoicesFor(prepared, prefix, 0, 3), invoicesFor(prepared, prefix, 3, 5)];
    const stage: Stage = { scenario, tested, prepared, setting, folder, webhookPort, runs: [], outputs: [] };
    const sent = await perform(stage, invoices, next);
    await settle(stage);
    const { apiKey, signingKey, webhookSecret } = prepared;
    const evidence: Evidence = {
      scenario: scenario.id,
      calls: (await tested.calls()).slice(preparing),
      webhooks: [...(await tested.webhooks()), ...sent],
      batches: await tested.batches(),
      invoices: scenario.course === 'again' ? [...invoices, ...next] : invoices,
      runs: stage.runs,
      secrets: [apiKey, signingKey, webhookSecret],
      works: true,
    };
    return { evidence, outputs: stage.outputs, ms: performance.now() - begun };
  } finally {
    await tested.close();
  }
}
