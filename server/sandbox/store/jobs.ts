import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import { StoreFailure } from './store.ts';
import type { TenantStore } from './tenantStore.ts';

/**
 * Runs a job; `attempt` counts from 0. Resolves with the time (ms) until the next attempt, or undefined when the job is
 * done.
 */
type Handler<Payload> = (payload: Payload, attempt: number) => Promise<number | undefined>;

/** A kind of job. */
interface JobKind<Payload> {
  /** Adds a job that is due in `delay` ms, within the current transaction if there is one; resolves with its number. */
  add: (payload: Payload, delay: number) => Promise<number>;
}

/** Maximum delay (ms) of a job; a later due time shows that the clock was set back. */
const maximumDelay = 15 * 60_000;

/** Time (ms) before a failed read of the store is retried. */
const retryDelay = 1000;
/** Maximum number of jobs per read. */
const pageSize = 20;

interface Job {
  id: number;
  due: number;
  task: string;
  json: string;
  attempt: number;
}

interface Task {
  handler: Handler<unknown>;
  /** Whether the handler waits for anything but the store, so that it cannot run in a transaction. */
  waits: boolean;
}

type Store = Pick<TenantStore, 'application' | 'rows' | 'write' | 'transaction' | 'afterCommit' | 'isEmptied'>;

/**
 * An application's jobs with a due time (steady, ms), stored so that they resume after a restart. A job is removed only
 * after its handler has succeeded, so it runs at least once. Unless the handler `waits`, its writes and the removal of
 * the job are one transaction.
 */
export function createJobs(store: Store, { clock, log }: { clock: Clock; log: Pick<Logger, 'error'> }) {
  const { application, rows, write, transaction, afterCommit } = store;
  const tasks = new Map<string, Task>();
  const running = new Map<number, Promise<void>>();
  let started = false;
  /** The one timer, set to the earliest known due time of the waiting jobs. */
  let timer: unknown;
  let timerDue = Infinity;
  /** The read of due jobs in progress. */
  let reading: Promise<void> | undefined;
  let readsAgain = false;

  function disarm(): void {
    clock.clearTimeout(timer);
    timer = undefined;
    timerDue = Infinity;
  }

  function arm(due: number): void {
    if (!started || due >= timerDue) return;
    disarm();
    timerDue = due;
    timer = clock.setTimeout(read, Math.max(0, due - clock.steady()));
  }

  function read(): void {
    if (reading) readsAgain = true;
    if (reading || !started) return;
    readsAgain = false;
    disarm();
    reading = runDue()
      .catch((error: unknown) => {
        if (!store.isEmptied()) log.error({ err: error }, 'the sandbox cannot read its jobs');
        arm(clock.steady() + retryDelay);
      })
      .finally(() => {
        reading = undefined;
        if (readsAgain) read();
      });
  }

  /** Starts the jobs that are due, and sets the timer to the next one. */
  async function runDue(): Promise<void> {
    const limit = running.size + pageSize;
    const first = 'select id, due, task, json, attempt from job where application = ? order by due, id limit ?';
    const found = await rows<Job>(first, application, limit);
    if (!started) return;
    const jobs = found.filter(({ id }) => !running.has(id));
    const now = clock.steady();
    for (const job of jobs.filter(({ due }) => due <= now)) {
      const ended = run(job).then((hasFailed) => {
        running.delete(job.id);
        if (hasFailed) arm(clock.steady() + retryDelay);
        else read();
      });
      running.set(job.id, ended);
    }
    const next = jobs.find(({ due }) => due > now);
    if (next) arm(next.due);
    else if (found.length === limit) readsAgain = true;
  }

  /** Runs a job. Resolves with true if the store has failed, so that the job must be run again. */
  async function run(job: Job): Promise<boolean> {
    const { id, task, attempt } = job;
    try {
      await perform(job);
      return false;
    } catch (error) {
      if (store.isEmptied()) return false;
      const isGivenUp = !(error instanceof StoreFailure);
      log.error({ err: error, task, attempt }, `a sandbox job failed and is ${isGivenUp ? 'given up' : 'tried again'}`);
      if (!isGivenUp) return true;
      return write('delete from job where id = ?', id).then(
        () => false,
        () => true,
      );
    }
  }

  async function perform({ id, task, json, attempt }: Job): Promise<void> {
    const { handler, waits } = tasks.get(task)!; // jobs are only added by a kind
    const act = () => handler(JSON.parse(json), attempt);
    const isPending = async () =>
      (await rows('select id from job where id = ? and attempt = ?', id, attempt)).length > 0;
    const finish = async (delay: number | undefined): Promise<void> => {
      if (delay === undefined) await write('delete from job where id = ?', id);
      else await write('update job set due = ?, attempt = attempt + 1 where id = ?', clock.steady() + delay, id);
    };
    if (!waits) await transaction(async () => ((await isPending()) ? finish(await act()) : undefined));
    else if (await transaction(isPending)) await finish(await act());
  }

  /** Starts running jobs. Jobs due implausibly late, because the clock was set back since, become due now. */
  async function start(): Promise<void> {
    started = true;
    const now = clock.steady();
    await write('update job set due = ? where application = ? and due > ?', now, application, now + maximumDelay);
    read();
  }

  return {
    /** Defines a kind of job, whose payloads are stored as JSON. Each kind is defined once, before `start`. */
    define<Payload>(task: string, handler: Handler<Payload>, { waits = false } = {}): JobKind<Payload> {
      tasks.set(task, { handler: handler as Handler<unknown>, waits }); // it is given what `add` stored
      return {
        async add(payload, delay) {
          const due = clock.steady() + delay;
          const insert = 'insert into job (application, due, task, json) values (?, ?, ?, ?) returning id';
          const [added] = await write<{ id: number }>(insert, application, due, task, JSON.stringify(payload));
          afterCommit(() => arm(due));
          return added!.id; // the row that was added
        },
      };
    },
    /** Makes a job due in `delay` ms unless it is due earlier. */
    async bringForward(job: number, delay: number): Promise<void> {
      const due = clock.steady() + delay;
      await write('update job set due = ? where id = ? and due > ?', due, job, due);
      afterCommit(() => arm(due));
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
    isIdle: (): boolean => running.size === 0 && timer === undefined && reading === undefined,
    /** Whether no work is in progress, so that nothing happens until the clock advances. */
    isSettled: (): boolean => running.size === 0 && reading === undefined,
    /** Starts running jobs; call it again after the clock was moved. */
    start,
    /** Waits for running jobs; the others resume at the next start. */
    async stop(): Promise<void> {
      started = false;
      disarm();
      await reading;
      await Promise.all(running.values());
    },
  };
}

export type Jobs = ReturnType<typeof createJobs>;
