import type Router from '@koa/router';
import type { SandboxCredentials } from '../credentials.ts';
import { Problem } from '../http/problem.ts';
import { routeControlCalls } from '../http/routeControlCalls.ts';
import type { TenantStore } from '../store/tenantStore.ts';
import type { BatchLifecycle } from './batchLifecycle.ts';

/** Maximum number of batches listed. */
const maximumListed = 100;

interface Deps {
  credentials: SandboxCredentials;
  store: Pick<TenantStore, 'transaction'>;
  lifecycle: Pick<BatchLifecycle, 'find' | 'latest' | 'nextStatus' | 'step'>;
}

/** Routes for the batches of the fault lab (docs/sandbox.md): listing them, and sending one on to its next state. */
export function batchControlRoutes({ credentials, store, lifecycle }: Deps): Router {
  return routeControlCalls(credentials, {
    async listBatches() {
      const latest = await lifecycle.latest(maximumListed);
      return Promise.all(
        latest.map(async (batch) => {
          const returned = batch.payments.flatMap(({ paymentId, returned: back }) =>
            back ? [{ paymentId, ...back }] : [],
          );
          return {
            batchId: batch.batchId,
            companyId: batch.companyId,
            status: batch.status,
            next: (await lifecycle.nextStatus(batch)) ?? null,
            payments: batch.payments.length,
            at: new Date(batch.createdAt).toISOString(),
            ...(returned.length > 0 && { returned }),
            ...(batch.fault && { fault: batch.fault.kind }),
          };
        }),
      );
    },
    stepBatch: (_, batchId) =>
      store.transaction(async () => {
        const batch = await lifecycle.find(batchId);
        if (!batch) throw new Problem(404, `There is no batch ${batchId}`);
        return { batchId, status: (await lifecycle.step(batch)).status };
      }),
  });
}
