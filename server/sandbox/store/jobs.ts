import type { Selectable } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import { DatabaseError } from '#server/storage/errors.ts';
import type { Tables } from './schema.ts';
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

type Job = Omit<Selectable<Tables['jobs']>, 'application'>;

interface Task {
  handler: Handler<unknown>;
  /** Whether the handler waits for anything but the store, so that it cannot run in a transaction. */
  waits: boolean;
}

type Store = Pick<TenantStore, 'application' | 'read' | 'write' | 'transaction' | 'afterCommit' | 'isEmptied'>;

/**
 * An application's jobs with a due time (steady, ms), stored so that they resume after a restart. A job is removed only
 * after its handler has succeeded, so it runs at least once. Unless the handler `waits`, its writes and the removal of
 * the job are one transaction.
 */
export function createJobs(store: Store, { clock, log }: { clock: Clock; log: Pick<Logger, 'error'> }) {
  const { application, read, write, transaction, afterCommit } = store;
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
    timer = clock.setTimeout(readDue, Math.max(0, due - clock.steady()));
  }

  function readDue(): void {
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
        if (readsAgain) readDue();
      });
  }

  /** Starts the jobs that are due, and sets the timer to the next one. */
  async function runDue(): Promise<void> {
    const limit = running.size + pageSize;
    const found = await read((db) =>
      db
        .selectFrom('jobs')
        .select(['position', 'due_at', 'task', 'payload', 'attempt'])
        .where('application', '=', application)
        .orderBy('due_at')
        .orderBy('position')
        .limit(limit)
        .execute(),
    );
    if (!started) return;
    const jobs = found.filter(({ position }) => !running.has(position));
    const now = clock.steady();
    for (const job of jobs.filter(({ due_at: due }) => due <= now)) {
      const ended = run(job).then((hasFailed) => {
        running.delete(job.position);
        if (hasFailed) arm(clock.steady() + retryDelay);
        else readDue();
      });
      running.set(job.position, ended);
    }
    const next = jobs.find(({ due_at: due }) => due > now);
    if (next) arm(next.due_at);
    else if (found.length === limit) readsAgain = true;
  }

  /** Runs a job. Resolves with true if the store has failed, so that the job must be run again. */
  async function run(job: Job): Promise<boolean> {
    const { position, task, attempt } = job;
    try {
      await perform(job);
      return false;
    } catch (error) {
      if (store.isEmptied()) return false;
      const isGivenUp = !(error instanceof DatabaseError);
      log.error({ err: error, task, attempt }, `a sandbox job failed and is ${isGivenUp ? 'given up' : 'tried again'}`);
      if (!isGivenUp) return true;
      return remove(position).then(
        () => false,
        () => true,
      );
    }
  }

  async function remove(position: number): Promise<void> {
    await write((db) => db.deleteFrom('jobs').where('position', '=', position).execute());
  }

  async function perform({ position, task, payload, attempt }: Job): Promise<void> {
    const { handler, waits } = tasks.get(task)!; // jobs are only added by a kind
    const act = () => handler(JSON.parse(payload), attempt);
    const isPending = async () =>
      (await read((db) =>
        db
          .selectFrom('jobs')
          .select('position')
          .where((on) => on.and({ position, attempt }))
          .executeTakeFirst(),
      )) !== undefined;
    const finish = async (delay: number | undefined): Promise<void> => {
      if (delay === undefined) return remove(position);
      await write((db) =>
        db
          .updateTable('jobs')
          .set({ due_at: clock.steady() + delay, attempt: attempt + 1 })
          .where('position', '=', position)
          .execute(),
      );
    };
    if (!waits) await transaction(async () => ((await isPending()) ? finish(await act()) : undefined));
    else if (await transaction(isPending)) await finish(await act());
  }

  /** Starts running jobs. Jobs due implausibly late, because the clock was set back since, become due now. */
  async function start(): Promise<void> {
    started = true;
    const now = clock.steady();
    await write((db) =>
      db
        .updateTable('jobs')
        .set({ due_at: now })
        .where('application', '=', application)
        .where('due_at', '>', now + maximumDelay)
        .execute(),
    );
    readDue();
  }

  return {
    /** Defines a kind of job, whose payloads are stored as JSON. Each kind is defined once, before `start`. */
    define<Payload>(task: string, handler: Handler<Payload>, { waits = false } = {}): JobKind<Payload> {
      tasks.set(task, { handler: handler as Handler<unknown>, waits }); // it is given what `add` stored
      return {
        async add(payload, delay) {
          const due = clock.steady() + delay;
          const job = { application, due_at: due, task, payload: JSON.stringify(payload) };
          const { position } = await write((db) =>
            db
              .insertInto('jobs')
              .values({ ...job, attempt: 0 })
              .returning('position')
              .executeTakeFirstOrThrow(),
          );
          await afterCommit(() => arm(due));
          return position;
        },
      };
    },
    /** Makes a job due in `delay` ms unless it is due earlier. */
    async bringForward(job: number, delay: number): Promise<void> {
      const due = clock.steady() + delay;
      await write((db) =>
        db.updateTable('jobs').set({ due_at: due }).where('position', '=', job).where('due_at', '>', due).execute(),
      );
      await afterCommit(() => arm(due));
    },
    /** Resolves with the time (steady, ms) at which the first job is due; undefined if there is none. */
    async nextDue(): Promise<number | undefined> {
      const first = await read((db) =>
        db
          .selectFrom('jobs')
          .select('due_at')
          .where('application', '=', application)
          .orderBy('due_at')
          .limit(1)
          .executeTakeFirst(),
      );
      return first?.due_at;
    },
    /** Resolves with the number of jobs that are waiting or running. */
    async pending(): Promise<number> {
      const { count } = await read((db) =>
        db
          .selectFrom('jobs')
          .select((on) => on.fn.countAll<number>().as('count'))
          .where('application', '=', application)
          .executeTakeFirstOrThrow(),
      );
      return count;
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
