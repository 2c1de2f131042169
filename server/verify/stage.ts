import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { returnedIn } from '#server/programs/checks/claims.ts';
import {
  isAnswered,
  type Exercise,
  type Invoice,
  type ProgramRun,
  type SeenWebhook,
} from '#server/programs/checks/evidence.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import { writeText } from '../reportFile.ts';
import { runVariables } from './environment.ts';
import { makeOlder } from './makeOlder.ts';
import { startProgram, type Ended, type Started } from './program.ts';
import { readResult } from './result.ts';
import { everyTime, type Moment, type Scenario } from './scenarios/scenario.ts';
import { slownessNow } from './slowness.ts';
import { invoicesFile } from './situation.ts';
import type { OpenService, TestedService } from './tested.ts';
import { takeTurns } from './turns.ts';

/** What all scenarios of a verification have in common. */
export interface Setting {
  command: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  seed: number;
  /** Time (ms) after which a run of the program is ended. */
  limit: number;
  /** A folder for the files of all scenarios. */
  folder: string;
  /** Whether the program is a service, which is ended once its result is complete. */
  isService: boolean;
  /** Whether one program runs at a time, such as one with a database of its own. */
  isAlone: boolean;
  openService: OpenService;
  /** The port on which the program listens for webhooks; 0 for a free one. */
  webhookPort: number;
  interrupted?: AbortSignal;
}

/** Further variables of a run. */
export type Variables = Readonly<Record<string, string>>;

/** Interval (ms) at which a scenario looks at its service. */
export const glance = 25;
/** How often (in glances of four) a batch is advanced after the program's end, and nothing may change until it counts as settled. */
const [settling, quiet] = [80, 4];

/** How much older (ms) the state of a program is made before a later run: locks that end by their age have ended then. */
const timeBetween = 2 * 3600_000;

/** Time (ms) after its end in which the lease of a process that was killed ends, such as one of a minute in a database. */
const longestLease = 62_000;

/** How many intervals of its steps a batch waits for a program to read it. */
const unread = 3;
/** The least time (ms) for which a call for a batch waits for one of the other instance. */
const leastOverlap = 1500;

/** Time (ms) for which a result with unknown outcomes must not change until it counts as complete. */
const unchanged = 5000;

/** Ends a service once its result names all invoices, and does not go on to change, unless it is still sent something. */
async function finishWhenComplete(
  program: Started,
  path: string,
  asked: readonly string[],
  isNeeded: () => boolean,
): Promise<void> {
  let [last, since] = ['', Date.now()];
  while (program.isRunning()) {
    const result = await readResult(path);
    const text = JSON.stringify(result) ?? '';
    if (text !== last) [last, since] = [text, Date.now()];
    const isNamed = typeof result === 'object' && asked.every((id) => result[id] !== undefined);
    const isKnown = isNamed && asked.every((id) => result[id] !== 'unknown');
    if (!isNeeded() && (isKnown || (isNamed && Date.now() - since > unchanged))) return program.finish();
    await pause(4 * glance);
  }
}

/** Time (ms) in which a program notices that a call has ended. */
const noticing = 100;

/** Interval (ms) at which a day passes for the batches that wait for theirs. */
const day = 500;

/** Looks for something until it is there; undefined if the program ends before. */
async function whileRunning<Found>(
  { isRunning }: Started,
  find: () => Found | Promise<Found>,
): Promise<Found | undefined> {
  for (; isRunning(); await pause(glance)) {
    const found = await find();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A fault by which such calls are held until all faults are cleared. */
const heldCall = (of: 'accessToken' | 'createBatch', kind: 'slow' | 'latency'): Exercise => ({
  on: 'call',
  of,
  fault: { kind, ms: 600_000 },
  times: everyTime,
});

/** Lets the days of batches come while the program runs: nobody waits for the real ones. */
async function passDays({ passDay }: TestedService, { isRunning, ended }: Started): Promise<void> {
  for (; passDay && isRunning(); await Promise.race([pause(day), ended])) await passDay();
}

/** Whether the program has answered, with 2xx, a webhook that names a payment as returned. */
const hasToldReturn = ({ deliveries }: SeenWebhook): boolean =>
  deliveries.some(({ status, body }) => status >= 200 && status < 300 && returnedIn(body).length > 0);

/** A service in a prepared situation, in which runs of a program are started. */
export function openStage({
  scenario,
  service,
  setting,
  folder,
  webhookPort,
}: {
  scenario: Scenario;
  service: TestedService;
  setting: Setting;
  folder: string;
  webhookPort: number;
}) {
  const runs: ProgramRun[] = [];
  const outputs: string[] = [];
  const programs: Started[] = [];
  const { step } = service;
  let isSending = false;
  const firstWrite = (program: Started, known = 0): Promise<number | undefined> =>
    whileRunning(program, () => {
      const later = service.calls().slice(known);
      return later.find(({ operation }) => operation === 'createBatch')?.number;
    });

  return {
    /** Sends something to the program, which is not ended before. */
    async sending<Sent>(send: () => Promise<Sent>): Promise<Sent> {
      isSending = true;
      return send().finally(() => (isSending = false));
    },
    runs,
    outputs,
    /** Whether a run stands still that the scenario has not stopped. */
    isStopped: (): boolean => programs.some((program) => program.isStopped()),
    webhookPort,
    /** Writes a file of invoices, and starts a run that pays them; a later one without the scenario's own limit. */
    async start(
      invoices: readonly Invoice[],
      { port = webhookPort, isLater = false, more = {} }: { port?: number; isLater?: boolean; more?: Variables } = {},
    ): Promise<{ program: Started; ended: Promise<Ended> }> {
      const index = runs.length;
      const asked = invoices.map(({ id }) => id);
      runs.push({ startedAt: Date.now(), endedAt: Infinity, exitStatus: null, ended: 'itself', asked });
      const name = (what: string) => join(folder, `${what}-${index + 1}.json`);
      const paths = { invoices: name('invoices'), result: name('result'), state: join(folder, 'state') };
      // A bank file's key ends within this time.
      if (isLater && !scenario.byFile) await makeOlder(paths.state, timeBetween);
      await writeText(paths.invoices, `${JSON.stringify(invoicesFile(invoices, scenario.byFile ?? false), null, 2)}\n`);
      const { command, env, interrupted, isService } = setting;
      const ownLimit = isLater ? undefined : scenario.limit;
      const program = await startProgram(command, {
        env: {
          ...env,
          ...service.environment,
          ...runVariables({ ...paths, webhookPort: port }),
          ...more,
        },
        limit: Math.min(setting.limit, ownLimit ?? Infinity),
        interrupted,
        slowness: ownLimit === undefined ? slownessNow : undefined,
      });
      programs.push(program);
      if (isService) void finishWhenComplete(program, paths.result, asked, () => isSending);
      const days = passDays(service, program);
      const ended = program.ended.then(async (end) => {
        await days;
        const result = end.ended === 'itself' ? await readResult(paths.result) : undefined;
        runs[index] = { ...end, asked, ...(result !== undefined && { result }) };
        outputs[index] = program.output();
        return end;
      });
      return { program, ended };
    },
    /** Waits until the program has a batch, and returns its id; undefined if the program ends before. */
    firstBatch: (program: Started): Promise<string | undefined> =>
      whileRunning(program, async () => (await service.batches())[0]?.batchId),
    /** Waits until the program has sent a call for a batch; undefined if it ends before. */
    firstWrite,
    /** Kills a run of the program at this moment; `known` calls are of earlier runs. Returns whether the moment has come. */
    async killAt(moment: Moment, program: Started, known: number): Promise<boolean> {
      const at = moment === 'read' ? 'batch' : 'createBatch';
      // One that was answered, or whose connection was closed.
      const hasEnded = ({ operation, ms, status }: RecordedCall) => operation === at && (ms > 0 || status !== 0);
      const find = {
        sent: () => firstWrite(program, known),
        accepted: () => whileRunning(program, async () => (await service.batches())[0]),
        told: () => whileRunning(program, () => service.webhooks().find(hasToldReturn)),
        refused: () => whileRunning(program, () => service.calls().slice(known).find(hasEnded)),
      };
      const found = await find[moment === 'read' ? 'refused' : moment]();
      if (found !== undefined && (moment === 'refused' || moment === 'read'))
        await Promise.race([pause(noticing), program.ended]);
      if (found !== undefined && program.isRunning()) program.kill();
      return found !== undefined;
    },
    /**
     * Advances the batches until the program ends: at this interval (ms), but not before the program has read them as they
     * are, however slow it is. One that does not read is not waited for longer than `unread` intervals.
     */
    async stepEvery(interval: number, { isRunning, ended }: Started): Promise<void> {
      while (isRunning()) {
        const [stepped, known] = [Date.now(), service.calls().length];
        const wasRead = () =>
          service
            .calls()
            .slice(known)
            .some((call) => call.operation === 'batch' && isAnswered(call));
        await Promise.race([pause(interval), ended]);
        while (isRunning() && !wasRead() && Date.now() - stepped < unread * interval)
          await Promise.race([pause(glance), ended]);
        await step();
      }
    },
    /**
     * Holds the calls for a token until two instances have one under way, and then those for a batch, so that they do the
     * same at the same time on any machine; in turns if they are to meet at each change of their state before. One that
     * calls nothing, because it waits for the other, is given the time that the other has needed twice over.
     */
    async meet(start: () => Promise<readonly Started[]>, inTurns: boolean): Promise<void> {
      const calls = { token: heldCall('accessToken', 'slow'), batch: heldCall('createBatch', 'latency') };
      // Another service may have no calls for a token.
      const stages = service.reading === undefined ? [calls.token, calls.batch] : [calls.batch];
      await service.addFault(stages[0]!); // there is one
      const before = service.calls().length;
      const hasOneToken = (): boolean => {
        const issued = service
          .calls()
          .slice(before)
          .filter(({ operation }) => operation === 'accessToken');
        return issued.length > 1 && new Set(issued.map(({ response }) => response.body)).size === 1;
      };
      const tokenOf = ({ headers }: RecordedCall) => headers['authorization'];
      const both = await start();
      for (const [index, { of: at }] of stages.entries()) {
        const [begun, known] = [Date.now(), service.calls().length];
        let first: number | undefined;
        let haveMet = false;
        const isOver = (): boolean => {
          const held = service
            .calls()
            .slice(known)
            .filter(({ operation }) => operation === at);
          // Calls for a token have nothing by which their callers differ, nor have those with tokens of the same second.
          const callers = at === 'accessToken' || hasOneToken() ? held : new Set(held.map(tokenOf));
          haveMet = [...callers].length > 1;
          if (held.length > 0) first ??= Date.now();
          return (
            haveMet ||
            both.some(({ isRunning }) => !isRunning()) ||
            (first !== undefined && Date.now() - first > Math.max(leastOverlap, 2 * (first - begun)))
          );
        };
        // Once one has called, the other one follows by itself: what it had seen, it acts upon.
        if (inTurns) await takeTurns(both, join(folder, 'state'), () => isOver() || first !== undefined);
        while (!isOver()) await pause(glance);
        // What was held reaches both while they stand still, so that they go on at the same moment.
        for (const { suspend } of both) suspend();
        await service.clearFaults();
        const next = stages[index + 1];
        if (haveMet && next) await service.addFault(next);
        await pause(2 * glance);
        for (const { resume } of both) resume();
        if (!haveMet) return;
      }
    },
    /** Waits until a process that was killed holds no lease any more. Rejects when the verification is interrupted. */
    untilLeasesEnd(): Promise<void> {
      const last = Math.max(...runs.flatMap(({ ended, endedAt }) => (ended === 'itself' ? [] : endedAt)));
      return pause(Math.max(0, last + longestLease - Date.now()), undefined, { signal: setting.interrupted });
    },
    /** Stops all faults, which sends delayed answers, and waits until all batches have ended. Rejects once the verification is interrupted. */
    async settle(): Promise<void> {
      setting.interrupted?.throwIfAborted();
      await service.clearFaults();
      let [last, same] = ['', 0];
      for (let look = 0; look < settling && same < quiet; look += 1) {
        await step();
        const statuses = (await service.batches()).map(({ status }) => status);
        const now = JSON.stringify([statuses, service.calls().length]);
        same = now === last && !statuses.some((status) => /^(received|processing)$/i.test(status)) ? same + 1 : 0;
        last = now;
        await pause(4 * glance);
      }
    },
  };
}

export type Stage = ReturnType<typeof openStage>;
