import type { Clock } from '#server/clock.ts';
import type { Fault } from '#contract/labShapes.ts';
import type { Mark } from './lab/faults.ts';
import type { Log } from './services.ts';
import type { Share } from './storage.ts';

/** A decision of the fault lab. */
interface Decision {
  fault: Fault<'authorisation'>;
  mark: Mark;
}

/** Kinds of jobs, with the data for their handlers. */
export interface Tasks {
  /** `mark` says that the fault lab sends it; before `until` (steady, ms) no attempt reaches the receiver. */
  webhook: { id: string; body: string; mark?: Mark; until?: number; to?: 'second' };
  subscription: { subscriptionId: string };
  batch: { batchId: string };
  /** The fault lab decides about what awaits its user. */
  subscriptionDecision: Decision & { subscriptionId: string };
  consentDecision: Decision & { consentId: string };
}

/**
 * Runs a job; `attempt` counts from 0. Returns the time (ms) after which the job is to run again, or undefined when it
 * is done.
 */
export type Handler<T extends keyof Tasks> = (
  payload: Tasks[T],
  attempt: number,
) => number | undefined | Promise<number | undefined>;

/** Maximum delay (ms) of a job; a later due time shows that the clock was set back. */
const longestDelay = 15 * 60_000;

interface Job {
  id: number;
  due: number;
  task: keyof Tasks;
  json: string;
  attempt: number;
}

/**
 * An application's jobs with a due time (steady, ms), stored in the database so that they resume after a restart. A job is removed only
 * when its handler is done, so it runs at least once.
 */
export function createSchedule({ db, application, insistOnKept }: Share, { clock, log }: { clock: Clock; log: Log }) {
  const insert = db.prepare('insert into job (application, due, task, json) values (?, ?, ?, ?)');
  const idle = 'application = ? and id not in (select value from json_each(?))';
  const next = db.prepare(`select min(due) as due from job where ${idle}`);
  const due = db.prepare(`select * from job where ${idle} and due <= ? order by due, id`);
  const postpone = db.prepare('update job set due = ?, attempt = attempt + 1 where id = ?');
  const hasten = db.prepare('update job set due = ? where application = ? and due > ?');
  const bring = db.prepare('update job set due = ? where id = ? and due > ?');
  const remove = db.prepare('delete from job where id = ?');
  const count = db.prepare('select count(*) as jobs from job where application = ?');

  const handlers: { [T in keyof Tasks]?: Handler<T> } = {};
  const running = new Map<number, Promise<void>>();
  const underWay = () => JSON.stringify([...running.keys()]);
  let timer: unknown;
  let started = false;

  async function run({ id, task, json, attempt }: Job): Promise<void> {
    const handler = handlers[task] as Handler<typeof task> | undefined; // the row's task selects the handler
    let again: number | undefined;
    try {
      again = await handler?.(JSON.parse(json) as Tasks[typeof task], attempt); // as above
    } catch (error) {
      log.error({ err: error, task, attempt }, 'a sandbox job failed and is given up');
    }
    if (again === undefined) remove.run(id);
    else postpone.run(clock.steady() + again, id);
  }

  function runDue(): void {
    const jobs = due.all(application, underWay(), clock.steady()) as Job[]; // the table's columns
    for (const job of jobs) {
      running.set(
        job.id,
        run(job).finally(() => {
          running.delete(job.id);
          arm();
        }),
      );
    }
    arm();
  }

  /** Sets the one timer to the earliest due time of the jobs that are not running. */
  function arm(): void {
    clock.clearTimeout(timer);
    timer = undefined;
    if (!started) return;
    const soonest = (next.get(application, underWay()) as { due: number | null }).due; // an aggregate always has a row
    if (soonest === null) return;
    timer = clock.setTimeout(runDue, Math.max(0, soonest - clock.steady()));
  }

  return {
    on<T extends keyof Tasks>(task: T, handler: Handler<T>): void {
      Object.assign(handlers, { [task]: handler });
    },
    /** Adds a job that is due in `delay` ms; returns its number. */
    add<T extends keyof Tasks>(task: T, payload: Tasks[T], delay: number): number {
      insistOnKept();
      const { lastInsertRowid } = insert.run(application, clock.steady() + delay, task, JSON.stringify(payload));
      arm();
      return Number(lastInsertRowid);
    },
    /** Makes a job due in `delay` ms if it were due later. */
    bring(job: number, delay: number): void {
      const due = clock.steady() + delay;
      bring.run(due, job, due);
      arm();
    },
    /** Number of jobs that wait for their time or are running. */
    pending: (): number => (count.get(application) as { jobs: number }).jobs, // an aggregate always has a row
    /** Whether no job is running or waits for its time by the clock; while that stands still, none does. */
    isIdle: (): boolean => running.size === 0 && timer === undefined,
    /** Starts the timer, or sets it anew after the clock was moved. */
    start: (): void => {
      started = true;
      // Jobs scheduled before the clock was set back run now.
      const now = clock.steady();
      hasten.run(now, application, now + longestDelay);
      arm();
    },
    /** Stops the timer and waits for running jobs; the others resume at the next start. */
    async stop(): Promise<void> {
      started = false;
      arm();
      await Promise.all(running.values());
    },
  };
}

export type Schedule = ReturnType<typeof createSchedule>;
