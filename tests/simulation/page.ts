import { companyHeader } from '#contract/constants.ts';
import { MemoryStorage, openTab, type Machine, type ProgramTab, type Session } from '#tests/accidents/tab.ts';
import { apiAt } from '#tests/support/api.ts';
import { labAt } from '#tests/support/lab.ts';
import type { Now } from '#tests/accidents/user.ts';
import { LineError } from './line.ts';
import { unlessAborted } from './unlessAborted.ts';
import { consoleUrl, serviceUrl } from './network.ts';
import type { Owner } from './scheduler.ts';
import type { World } from './world.ts';

/** Who makes requests, and the records that they may read. */
export interface Identity {
  name: string;
  workspace: string;
  /** Headers of each request, such as the cookie of a session. */
  headers: Readonly<Record<string, string>>;
}
export const anybody = (name: string): Identity => ({ name, workspace: '', headers: {} });

/** A user's browser, whose tabs share its storage. */
export interface Browser {
  identity: Identity;
  /** Opens a tab at an address; `session` is the storage of a tab that existed before. */
  open: (address: string, session?: Session) => Promise<ProgramTab>;
  /** What its user does beyond the page. */
  beyond: Now['world'];
}

/** A request that a page sends. */
export interface PageRequest {
  method: string;
  path: string;
  /** '' if it has none. */
  key: string;
  /** The company that it is about; '' for the current one. */
  companyKey: string;
}

/** Opens a browser in a world. */
export function openBrowser(world: World, identity: Identity, onSent: (request: PageRequest) => void): Browser {
  const { scheduler, sandbox } = world;
  const choice = scheduler.of(`visits of ${identity.name}`);
  const line = world.line(identity.name, identity.workspace, identity.headers);
  /** Pages of the service, which no accident meets. */
  const visit: typeof fetch = async (request, init) => {
    const { pathname, search } = new URL(request instanceof Request ? request.url : request, serviceUrl);
    await scheduler.wait(choice.between(1, 30));
    return sandbox.fetch(pathname + search, init);
  };
  const local = new MemoryStorage();

  /** The machine of a tab, whose timers end with it. */
  function machineOf(owner: Owner): Machine {
    const timers = {
      setTimeout: (run: () => void, ms = 0) => scheduler.plan(ms, '', run, owner),
      clearTimeout: (timer: unknown) => timer && scheduler.cancel(timer as ReturnType<typeof scheduler.plan>), // made above
    };
    return {
      now: () => scheduler.now(),
      ...timers,
      clock: timers,
      fetch: (url, init) => {
        const { signal, ...request } = init;
        const method = init.method ?? 'GET';
        const headers = new Headers(init.headers);
        const [key, companyKey] = [headers.get('idempotency-key') ?? '', headers.get(companyHeader) ?? ''];
        onSent({ method, path: url.pathname, key, companyKey });
        const sent = line(url, { ...request, method }).catch((error: unknown) => {
          if (error instanceof LineError) throw new TypeError('Failed to fetch');
          throw error;
        });
        return unlessAborted(sent, signal);
      },
    };
  }

  return {
    identity,
    beyond: {
      url: consoleUrl,
      fetch: visit,
      lab: labAt(serviceUrl, undefined, visit),
      api: apiAt(consoleUrl, undefined, line),
    },
    async open(address, session) {
      const owner: Owner = { name: `a tab of ${identity.name}`, isDead: false };
      const tab = await openTab(
        {
          url: consoleUrl,
          local,
          ahead: () => 0,
          machine: machineOf(owner),
          line: (_call, send) => send(),
        },
        address,
        session,
      );
      const close = () => {
        owner.isDead = true;
        tab.close();
      };
      return { ...tab, close };
    },
  };
}
