import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import type { Application } from './application.ts';
import { defaultApplication } from './credentials.ts';

interface OpenApplication extends Omit<Application, 'app'> {
  handle: RequestListener;
  /** Deletes everything of the application, which a new one replaces. */
  empty: () => Promise<void>;
}

/** Maximum number of applications in memory; exceeded only while the others are busy. */
const maximumOpen = 100;
/** Time (ms) before a failed read of the store is retried. */
const retryDelay = 1000;

/**
 * The applications in memory, opened on demand. Evicts the least recently used ones beyond the maximum; never one with a
 * request or a job in progress. `open` makes an application; it is given a function that replaces it by a new one.
 */
export function createApplications(
  open: (name: string, replace: () => void) => OpenApplication,
  { clock, log }: { clock: Pick<Clock, 'setTimeout'>; log: Pick<Logger, 'error'> },
) {
  /** Ordered by last use. */
  const opened = new Map<string, { application: OpenApplication; requests: number }>();
  /** Replaced applications that are still stopping. */
  const stopping = new Set<Promise<void>>();
  let isClosed = false;

  /** Returns an application, which is opened if necessary, and makes it the most recently used one. */
  function findOrOpen(name: string) {
    const used = opened.get(name) ?? { application: openNow(name), requests: 0 };
    opened.delete(name);
    opened.set(name, used);
    return used;
  }

  function openNow(name: string): OpenApplication {
    const application = open(name, () => {
      opened.delete(name);
      const stopped: Promise<void> = application.stop().finally(() => stopping.delete(stopped));
      stopping.add(stopped);
    });
    start(name, application);
    return application;
  }

  /** Starts an application. If the store fails, retries later unless the application has been replaced. */
  function start(name: string, application: OpenApplication): void {
    application.start().catch((error: unknown) => {
      log.error({ err: error }, 'the sandbox cannot read its store');
      clock.setTimeout(() => {
        if (!isClosed && opened.get(name)?.application === application) start(name, application);
      }, retryDelay);
    });
  }

  function evict(): void {
    for (const [name, { application, requests }] of opened) {
      if (opened.size <= maximumOpen) return;
      if (requests === 0 && name !== defaultApplication && application.isIdle()) opened.delete(name);
    }
  }

  return {
    handle(name: string, request: IncomingMessage, response: ServerResponse): void {
      const used = findOrOpen(name);
      used.requests += 1;
      response.once('close', () => {
        used.requests -= 1;
        evict();
      });
      used.application.handle(request, response);
    },
    /** Returns an application, which is opened if necessary. */
    find: (name: string): OpenApplication => findOrOpen(name).application,
    /** Opens an application, so that its jobs run. */
    wake: (name: string): void => {
      findOrOpen(name);
      evict();
    },
    isSettled: (): boolean => [...opened.values()].every(({ application }) => application.isSettled()),
    /** Lets all applications read the store again. */
    restart: (): void => {
      for (const [name, { application }] of opened) start(name, application);
    },
    /** Closes held connections, and waits for running jobs. */
    async stop(): Promise<void> {
      isClosed = true;
      await Promise.all([...[...opened.values()].map(({ application }) => application.stop()), ...stopping]);
    },
  };
}
