import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import { createSingleFlight } from '#server/concurrency.ts';
import type { Storage } from '#server/storage/open.ts';
import type { Upstream } from '#server/upstream/client.ts';
import { storedSettingsIn } from '#server/companies/storedSettings.ts';
import { firstScope } from '#server/companies/companyList.ts';
import { defaultWorkspace } from '#server/http/user.ts';
import Router from '@koa/router';
import { alivePath, readyPath } from '#server/http/paths.ts';
import { version } from '#server/version.ts';

/**
 * Whether the store and the service work. The store counts as failing while it cannot store data or any settings are
 * unreadable. `setAside` is the number of other unreadable records, absent if 0.
 */
interface Readiness {
  store: boolean;
  upstream: boolean;
  setAside?: number;
}

/** Time (ms) for which a result is reused. */
const ttl = 1000;
/** Maximum time (ms) to wait for the store, and for the service. */
const timeout = 5000;

export interface ReadinessDeps {
  storage: Storage;
  upstream: Pick<Upstream, 'health'>;
  clock: Clock;
  log: Logger;
}

/** Checks store and service. Only one check of each runs at a time. */
function createReadiness({ storage, upstream, clock, log }: ReadinessDeps) {
  const checks = createSingleFlight<boolean>();
  const looks = createSingleFlight<Readiness>();
  let last: { found: Readiness; at: number } | undefined;

  /** The last reasons why the store or the service did not answer; each new reason is logged once. */
  const reasons = new Map<string, string>();
  const answers = (what: string, call: () => Promise<unknown>): Promise<boolean> =>
    checks.run(what, () =>
      call().then(
        () => {
          reasons.delete(what);
          return true;
        },
        (error: unknown) => {
          const reason = String(error);
          if (reasons.get(what) !== reason) log.warn({ what, reason }, 'not ready');
          reasons.set(what, reason);
          return false;
        },
      ),
    );

  function inTime(answer: Promise<boolean>): Promise<boolean> {
    let timer: unknown;
    const tooLate = new Promise<boolean>((resolve) => (timer = clock.setTimeout(() => resolve(false), timeout)));
    return Promise.race([answer, tooLate]).finally(() => clock.clearTimeout(timer));
  }

  const askUpstream = (): Promise<boolean> =>
    answers('upstream', async () => {
      const { status, httpStatus } = await upstream.health('consumer');
      if (httpStatus >= 300) throw new Error(`The service states its health as ${status}`);
    });

  const askStore = (): Promise<boolean> =>
    answers('store', async () => {
      await storage.assertWritable();
      await storedSettingsIn(storage, { workspace: defaultWorkspace, company: firstScope }).read();
    });

  async function look(): Promise<Readiness> {
    const [storeAnswers, service] = await Promise.all([inTime(askStore()), inTime(askUpstream())]);
    const setAside = storeAnswers ? await storage.quarantine.count() : 0;
    const store = storeAnswers && (await storage.settings.unreadable()).length === 0;
    last = { found: { store, upstream: service, ...(setAside > 0 && { setAside }) }, at: clock.steady() };
    return last.found;
  }

  return (): Promise<Readiness> => {
    if (last && clock.steady() - last.at < ttl) return Promise.resolve(last.found);
    return looks.run('', look);
  };
}

/**
 * Health checks for operators. /healthz: the process is running, in which version; /readyz: store and service respond (503 if one does
 * not).
 */
export function healthRoutes(deps: ReadinessDeps): Router {
  const readiness = createReadiness(deps);

  const router = new Router();
  router.get(alivePath, (ctx) => {
    ctx.body = { status: 'ok', version };
  });
  router.get(readyPath, async (ctx) => {
    const found = await readiness();
    ctx.status = found.store && found.upstream ? 200 : 503;
    ctx.body = found;
  });
  return router;
}
