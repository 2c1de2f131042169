import { sandboxHomePath } from '#contract/faults.ts';
import type { Server } from '#app/client/elsewhere.ts';
import { connect } from '#app/tools/lab/connect.ts';
import type { Facts } from '#contract/facts.ts';
import { createWalker, type Walker } from '#runner/runJourney.ts';
import { labOf } from '../lab.ts';
import { visitSandbox } from '../visits.ts';

type SandboxLab = Awaited<ReturnType<typeof labOf>>;

/** What an agent works with: a console on a sandbox, without a screen. */
export interface Session {
  /** The sandbox's address. */
  sandbox: string;
  lab: SandboxLab;
  facts: () => Promise<Facts>;
  /** Runs journeys; one run after the other, because a console has one page. `tell` gets a line for each journey. */
  walk: <T>(work: (walker: Walker) => Promise<T>, signal: AbortSignal, tell?: (line: string) => void) => Promise<T>;
  end: () => void;
}

const onThisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether an address is one of this machine. */
export const isHere = (url: string): boolean => URL.canParse(url) && onThisMachine.test(new URL(url).hostname);

/** Maximum duration (ms) of a run of journeys. */
const longest = 120_000;

/** Opens a session on a console. Rejects if the console uses anything but a sandbox of this machine. */
export async function openSession(server: Server): Promise<Session> {
  const connected = await connect(server);
  /** `told` gets the name of each journey that begins. */
  const walkerFor = (signal?: AbortSignal, told: (line: string) => void = () => undefined) =>
    createWalker(
      connected.actor,
      {
        ...connected,
        visit: (visit) => visitSandbox(visit, connected.reload),
        patient: false,
        now: () => performance.now(),
        tell: (each) => 'begins' in each && told(each.begins),
      },
      signal,
    );

  async function read(): Promise<Facts> {
    const walker = walkerFor();
    try {
      return await walker.factsNow();
    } finally {
      walker.stop();
    }
  }

  let before: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = before.then(work);
    before = done.catch(() => undefined);
    return done;
  }

  try {
    const { environment, sandbox } = await read();
    if (environment !== 'sandbox' || !sandbox || !isHere(sandbox.url))
      throw new Error('The console does not use a sandbox of this machine: agents work on such a sandbox only');
    const { origin, headers } = server;
    return {
      sandbox: sandbox.url,
      lab: await labOf(sandbox.url, { address: origin + sandboxHomePath, headers }),
      facts: () => inTurn(read),
      walk: (work, signal, tell) =>
        inTurn(async () => {
          const walker = walkerFor(AbortSignal.any([signal, AbortSignal.timeout(longest)]), tell);
          try {
            await walker.factsNow();
            return await work(walker);
          } finally {
            walker.stop();
          }
        }),
      end: connected.end,
    };
  } catch (error) {
    connected.end();
    throw error;
  }
}
