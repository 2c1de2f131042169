import type { Clock } from '#server/clock.ts';
import type { Fault } from '#contract/labShapes.ts';
import type { Mark } from '../lab/faults.ts';
import type { Log } from '../services.ts';
import type { Share } from './tenantStore.ts';
import { StoreFailure } from './store.ts';

/** A decision of the fault lab. */
interface Decision {
  fault: Fault<'authorisation'>;
  mark: Mark;
}

/** Kinds of jobs, with the data for their handlers. */
export interface Tasks {
  /** `mark`: the mark of the lab's fault; no attempt reaches the receiver before `until` (steady, ms). */
  webhook: { id: string; body: string; mark?: Mark; until?: number; to?: 'second' };
  subscription: { subscriptionId: string };
  batch: { batchId: string };
  /** The fault lab decides in place of the user. */
  subscriptionDecision: Decision & { subscriptionId: string };
  consentDecision: Decision & { consentId: string };
}

/**
 * Runs a job; `attempt` counts from 0. Resolves with the time (ms) until the next attempt, or undefined when the job is
 * done.
 */
export type Handler<T extends keyof Tasks> = (payload: Tasks[T], attempt: number) => Promise<number | undefined>;

/** Maximum delay (ms) of a job; a later due time shows that the clock was set back. */
const longestDelay = 15 * 60_000;

/** Time (ms) before a failed read of the store is retried. */
const pause = 1000;
/** Maximum number of jobs per read. */
const page = 20;

interface Job {
  id: number;
  due: number;
  task: keyof Tasks;
  json: string;
  attempt: number;
}

interface Doing {
  handler: Handler<keyof Tasks>;
  /** Whether the handler waits for anything but the store, so that it cannot run in a transaction. */
  waits: boolean;
}

type Kept = Pick<Share, 'application' | 'rows' | 'write' | 'transaction' | 'afterwards' | 'isEmptied'>;

/**
 * An application's jobs with a due time (steady, ms), stored so that they resume after a restart. A job is removed only
 * after its handler has succeeded, so it runs at least once. Unless the handler `waits`, its writes and the removal of
 * the job are one transaction.
 */
export function createSchedule(share: Kept, { clock, log }: { clock: Clock; log: Log }) {
  const { application, rows, write, transaction, afterwards } = share;
  const tasks: { [T in keyof Tasks]?: Doing } = {};
  const running = new Map<number, Promise<void>>();
  let started = false;
  /** The one timer, set to the earliest known due time of the waiting jobs. */
  let timer: unknown;
  let timerDue = Infinity;
  /** The read of due jobs in progress. */
  let looking: Promise<void> | undefined;
  let looksAgain = false;

  function disarm(): void {
    clock.clearTimeout(timer);
    timer = undefined;
    timerDue = Infinity;
  }

  function arm(due: number): void {
    if (!started || due >= timerDue) return;
    disarm();
    timerDue = due;
    timer = clock.setTimeout(look, Math.max(0, due - clock.steady()));
  }

  function look(): void {
    if (looking) looksAgain = true;
    if (looking || !started) return;
    looksAgain = false;
    disarm();
    looking = begin()
      .catch((error: unknown) => {
        if (!share.isEmptied()) log.error({ err: error }, 'the sandbox cannot read its jobs');
        arm(clock.steady() + pause);
      })
      .finally(() => {
        looking = undefined;
        if (looksAgain) look();
      });
  }

  /** Starts the jobs that are due, and sets the timer to the next one. */
  async function begin(): Promise<void> {
    const limit = running.size + page;
    const first = 'select id, due, task, json, attempt from job where application = ? order by due, id limit ?';
    const found = await rows<Job>(first, application, limit);
    if (!started) return;
    const jobs = found.filter(({ id }) => !running.has(id));
    const now = clock.steady();
    for (const job of jobs.filter(({ due }) => due <= now)) {
      const ended = run(job).then((hasFailed) => {
        running.delete(job.id);
        if (hasFailed) arm(clock.steady() + pause);
        else look();
      });
      running.set(job.id, ended);
    }
    const next = jobs.find(({ due }) => due > now);
    if (next) arm(next.due);
    else if (found.length === limit) looksAgain = true;
  }

  /** Runs a job. Resolves with true if the store has failed, so that the job must be run again. */
  async function run(job: Job): Promise<boolean> {
    const { id, task, attempt } = job;
    try {
      await attempted(job);
      return false;
    } catch (error) {
      if (share.isEmptied()) return false;
      const isGivenUp = !(error instanceof StoreFailure);
      log.error({ err: error, task, attempt }, `a sandbox job failed and is ${isGivenUp ? 'given up' : 'tried again'}`);
      if (!isGivenUp) return true;
      return write('delete from job where id = ?', id).then(
        () => false,
        () => true,
      );
    }
  }

  async function attempted({ id, task, json, attempt }: Job): Promise<void> {
    const { handler, waits } = tasks[task] as Doing; // the row's task selects the handler
    const act = () => handler(JSON.parse(json) as Tasks[typeof task], attempt); // as above
    const isThere = async () => (await rows('select id from job where id = ? and attempt = ?', id, attempt)).length > 0;
    const finish = async (again: number | undefined): Promise<void> => {
      if (again === undefined) await write('delete from job where id = ?', id);
      else await write('update job set due = ?, attempt = attempt + 1 where id = ?', clock.steady() + again, id);
    };
    if (!waits) await transaction(async () => ((await isThere()) ? finish(await act()) : undefined));
    else if (await transaction(isThere)) await finish(await act());
  }

  /** Starts running jobs. Jobs due implausibly late, because the clock was set back since, become due now. */
  async function start(): Promise<void> {
    started = true;
    const now = clock.steady();
    await write('update job set due = ? where application = ? and due > ?', now, application, now + longestDelay);
    look();
  }

  return {
    /** Sets the handler of a kind of job. */
    on<T extends keyof Tasks>(task: T, handler: Handler<T>, { waits = false } = {}): void {
      Object.assign(tasks, { [task]: { handler, waits } });
    },
    /** Adds a job that is due in `delay` ms; resolves with its number. */
    async add<T extends keyof Tasks>(task: T, payload: Tasks[T], delay: number): Promise<number> {
      const due = clock.steady() + delay;
      const insert = 'insert into job (application, due, task, json) values (?, ?, ?, ?) returning id';
      const [added] = await write<{ id: number }>(insert, application, due, task, JSON.stringify(payload));
      afterwards(() => arm(due));
      return added!.id; // the row that was added
    },
    /** Makes a job due in `delay` ms unless it is due earlier. */
    async bring(job: number, delay: number): Promise<void> {
      const due = clock.steady() + delay;
      await write('update job set due = ? where id = ? and due > ?', due, job, due);
      afterwards(() => arm(due));
    },
    /** Resolves with the number of jobs that are waiting or running. */
    async pending(): Promise<number> {
      const [found] = await rows<{ jobs: number }>(
        'select count(*) as jobs from job where application = ?',
        application,
      );
      return found!.jobs; // an aggregate always has a row
    },
    /** Whether no job is running or has a timer; while the clock is stopped, no job has one. */
    isIdle: (): boolean => running.size === 0 && timer === undefined && looking === undefined,
    /** Whether no work is in progress, so that nothing happens until the clock advances. */
    isSettled: (): boolean => running.size === 0 && looking === undefined,
    /** Starts running jobs; call it again after the clock was moved. */
    start,
    /** Waits for running jobs; the others resume at the next start. */
    async stop(): Promise<void> {
      started = false;
      disarm();
      await looking;
      await Promise.all(running.values());
    },
  };
}

export type Schedule = ReturnType<typeof createSchedule>;
