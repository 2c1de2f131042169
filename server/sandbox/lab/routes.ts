import type Router from '@koa/router';
import type { BatchLife } from '../payment/batchLifecycle.ts';
import { Problem } from '../http/problem.ts';
import type { Services } from '../services.ts';
import type { MovableClock } from './clock.ts';
import { routed } from './labCalls.ts';

/** What the lab's calls change besides its rules. */
interface Lab {
  clock: MovableClock;
  batches: BatchLife;
  /** Ends the pauses caused by faults of calls. */
  letGo: () => void;
}

/** Maximum number of rules, including spent ones. */
const mostRules = 100;
/** Maximum number of batches listed. */
const mostBatches = 100;

/** Routes for the rules, batches and clock of the fault lab (docs/lab.md). */
export function labRoutes(
  { credentials, faults, schedule, storage, transaction }: Services,
  { clock, batches, letGo }: Lab,
): Router {
  const time = async () => ({
    now: new Date(clock.now()).toISOString(),
    ...clock.state(),
    pending: await schedule.pending(),
  });

  return routed(credentials, {
    listRules: () => [...faults.list()],
    addRule(rule) {
      if (faults.list().length >= mostRules)
        throw new Problem(409, `The fault lab has ${mostRules} rules already: remove one of them`);
      return faults.add(rule);
    },
    async stopAll() {
      await faults.stop();
      letGo();
    },
    async removeRule(_, ruleId) {
      if (!(await faults.remove(ruleId))) throw new Problem(404, `The fault lab has no rule ${ruleId}`);
    },
    async listBatches() {
      const latest = await storage.latest('batch', mostBatches);
      return Promise.all(
        latest.map(async (batch) => ({
          ...{
            batchId: batch.batchId,
            companyId: batch.companyId,
            status: batch.status,
            next: (await batches.nextStatus(batch)) ?? null,
          },
          ...{ payments: batch.payments.length, at: new Date(batch.createdAt).toISOString() },
          ...(batch.fault && { fault: batch.fault.kind }),
        })),
      );
    },
    stepBatch: (_, batchId) =>
      transaction(async () => {
        const batch = await batches.find(batchId);
        if (!batch) throw new Problem(404, `There is no batch ${batchId}`);
        return { batchId, status: (await batches.step(batch)).status };
      }),
    readClock: time,
    async moveClock({ move = 0, still }) {
      if (move !== 0) await clock.move(move);
      if (still === true) await clock.stop();
      if (still === false) await clock.run();
      return time();
    },
    async resetClock() {
      await clock.reset();
      return time();
    },
  });
}
