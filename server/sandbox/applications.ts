import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { defaultApplication } from './credentials.ts';
import type { Sandbox } from './application.ts';
import type { Log } from './services.ts';

interface Opened extends Pick<Sandbox, 'start' | 'stop' | 'isIdle' | 'isSettled'> {
  handle: RequestListener;
}

/** Maximum number of applications in memory; exceeded only while the others are busy. */
const most = 100;
/** Time (ms) before a failed read of the store is retried. */
const pause = 1000;

/**
 * A cache with one sandbox per application, opened on demand. Evicts the least recently used ones beyond the maximum;
 * never one with a request or a job in progress. `open` makes a sandbox; it is given a function that replaces the
 * sandbox by a new one.
 */
export function createApplications(open: (name: string, replace: () => void) => Opened, log: Log) {
  /** Ordered by last use. */
  const opened = new Map<string, { sandbox: Opened; requests: number }>();
  /** Replaced sandboxes that are still stopping. */
  const ending = new Set<Promise<void>>();
  let hasEnded = false;

  function of(name: string) {
    const known = opened.get(name) ?? { sandbox: begin(name), requests: 0 };
    opened.delete(name);
    opened.set(name, known);
    return known;
  }

  function begin(name: string): Opened {
    const sandbox = open(name, () => {
      opened.delete(name);
      const ended: Promise<void> = sandbox.stop().finally(() => ending.delete(ended));
      ending.add(ended);
    });
    start(name, sandbox);
    return sandbox;
  }

  /** Starts a sandbox. If the store fails, retries later unless the sandbox has been replaced. */
  function start(name: string, sandbox: Opened): void {
    sandbox.start().catch((error: unknown) => {
      log.error({ err: error }, 'the sandbox cannot read its store');
      setTimeout(() => {
        if (!hasEnded && opened.get(name)?.sandbox === sandbox) start(name, sandbox);
      }, pause).unref();
    });
  }

  function letGo(): void {
    for (const [name, { sandbox, requests }] of opened) {
      if (opened.size <= most) return;
      if (requests === 0 && name !== defaultApplication && sandbox.isIdle()) opened.delete(name);
    }
  }

  return {
    handle(name: string, request: IncomingMessage, response: ServerResponse): void {
      const asked = of(name);
      asked.requests += 1;
      response.once('close', () => {
        asked.requests -= 1;
        letGo();
      });
      asked.sandbox.handle(request, response);
    },
    /** Opens an application, so that its jobs run. */
    wake: (name: string): void => {
      of(name);
      letGo();
    },
    isSettled: (): boolean => [...opened.values()].every(({ sandbox }) => sandbox.isSettled()),
    /** Lets all sandboxes read the store again. */
    restart: (): void => {
      for (const [name, { sandbox }] of opened) start(name, sandbox);
    },
    /** Closes held connections, and waits for running jobs. */
    async stop(): Promise<void> {
      hasEnded = true;
      await Promise.all([...[...opened.values()].map(({ sandbox }) => sandbox.stop()), ...ending]);
    },
  };
}
