import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { defaultApplication } from './credentials.ts';
import type { Sandbox } from './sandbox.ts';
import type { Log } from './services.ts';

interface Opened extends Pick<Sandbox, 'start' | 'stop' | 'isIdle' | 'isSettled'> {
  handle: RequestListener;
}

/** How many applications stay in memory that have nothing to do. */
const most = 100;
/** Time (ms) after which the store is tried again. */
const pause = 1000;

/**
 * The sandboxes of the applications, each opened when it is asked for. Those asked for longest ago are let go when there
 * are too many, never while a request or a job is under way. `open` makes one; the function that it is given puts a new one
 * in its place.
 */
export function createApplications(open: (name: string, replace: () => void) => Opened, log: Log) {
  /** In the order of their last use. */
  const opened = new Map<string, { sandbox: Opened; requests: number }>();
  /** What is still under way of those that were replaced. */
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

  /** Starts a sandbox; tries again later if the store fails, as long as it is the application's. */
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
    /** Has all read the store anew. */
    restart: (): void => {
      for (const [name, { sandbox }] of opened) start(name, sandbox);
    },
    /** Lets go of what is held open, and waits for running jobs. */
    async stop(): Promise<void> {
      hasEnded = true;
      await Promise.all([...[...opened.values()].map(({ sandbox }) => sandbox.stop()), ...ending]);
    },
  };
}
