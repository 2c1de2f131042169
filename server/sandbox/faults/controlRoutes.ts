import type Router from '@koa/router';
import type { SandboxCredentials } from '../credentials.ts';
import { Problem } from '../http/problem.ts';
import type { Jobs } from '../store/jobs.ts';
import type { MovableClock } from '../clock.ts';
import type { Faults } from './faults.ts';
import { routeControlCalls } from '../http/routeControlCalls.ts';

interface Deps {
  credentials: SandboxCredentials;
  faults: Pick<Faults, 'list' | 'add' | 'remove' | 'stop'>;
  jobs: Pick<Jobs, 'pending'>;
  clock: MovableClock;
  /** Ends the pauses caused by faults of calls. */
  releaseCalls: () => void;
}

/** Maximum number of rules, including spent ones. */
const maximumRules = 100;

/** Routes for the rules and the clock of the fault lab (docs/sandbox.md). */
export function faultRoutes({ credentials, faults, jobs, clock, releaseCalls }: Deps): Router {
  const time = async () => ({
    now: new Date(clock.now()).toISOString(),
    ...clock.state(),
    pending: await jobs.pending(),
  });

  return routeControlCalls(credentials, {
    listRules: () => [...faults.list()],
    addRule(rule) {
      if (faults.list().length >= maximumRules)
        throw new Problem(409, `The fault lab has ${maximumRules} rules already: remove one of them`);
      return faults.add(rule);
    },
    async stopAll() {
      await faults.stop();
      releaseCalls();
    },
    async removeRule(_, ruleId) {
      if (!(await faults.remove(ruleId))) throw new Problem(404, `The fault lab has no rule ${ruleId}`);
    },
    readClock: time,
    async moveClock({ move = 0, still, everyDay }) {
      if (move !== 0) await clock.move(move);
      if (still === true) await clock.stop();
      if (still === false) await clock.run();
      if (everyDay !== undefined) await clock.process(everyDay);
      return time();
    },
    async resetClock() {
      await clock.reset();
      return time();
    },
  });
}
