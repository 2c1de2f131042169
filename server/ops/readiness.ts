import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import { createSingleFlight } from '#server/concurrency.ts';
import type { Storage } from '#server/storage/open.ts';
import type { Upstream } from '#server/upstream/client.ts';
import { storedSettingsIn } from '#server/companies/storedSettings.ts';
import { firstCompany } from '#server/companies/companyList.ts';
import { defaultWorkspace } from '#server/http/user.ts';
import { alivePath, readyPath } from '#server/http/paths.ts';
import type { Route } from '#server/http/routes.ts';
import { version } from '#server/version.ts';

/**
 * What works. The store counts as failing while it cannot store data or any settings are unreadable; `setAside` is the
 * number of other unreadable records, absent if 0. The others are absent while unknown; `signIn` also without sign-in.
 */
export interface Readiness {
  store: boolean;
  upstream?: boolean;
  signIn?: boolean;
  setAside?: number;
}

/** Time (ms) for which a result is reused, and that of the sign-in service, which is not the console's to load. */
const [ttl, signInTtl] = [1000, 15_000];
/** Maximum time (ms) to wait for an answer. */
const timeout = 5000;
/** Maximum time (ms) to wait for what the console can do without: a probe must not wait for another service. */
const glance = 500;

export interface ReadinessDeps {
  storage: Storage;
  upstream: Pick<Upstream, 'health'>;
  /** Rejects if the sign-in service does not answer; absent if nobody signs in. */
  askSignIn?: (() => Promise<unknown>) | undefined;
  clock: Clock;
  log: Logger;
}

/** Returns a function that tells what works. Only one check of each runs at a time. */
export function createReadiness({ storage, upstream, askSignIn, clock, log }: ReadinessDeps): () => Promise<Readiness> {
  const checks = createSingleFlight<boolean>();
  const looks = createSingleFlight<Readiness>();
  let last: { found: Readiness; at: number } | undefined;

  /** The last reasons why something did not answer; each new reason is logged once. */
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
          if (reasons.get(what) !== reason) log.warn({ what, reason }, 'does not answer');
          reasons.set(what, reason);
          return false;
        },
      ),
    );

  function within<T>(ms: number, answer: Promise<T>, otherwise: () => T): Promise<T> {
    let timer: unknown;
    const tooLate = new Promise<T>((resolve) => (timer = clock.setTimeout(() => resolve(otherwise()), ms)));
    return Promise.race([answer, tooLate]).finally(() => clock.clearTimeout(timer));
  }
  const inTime = (answer: Promise<boolean>) => within(timeout, answer, () => false);

  /** Looks at another service: waits for a moment, then returns what was known before. */
  function watch(what: string, call: () => Promise<unknown>, reusedFor = 0): () => Promise<boolean | undefined> {
    let known: boolean | undefined;
    let askedAt = -Infinity;
    return () => {
      if (known !== undefined && clock.steady() - askedAt < reusedFor) return Promise.resolve(known);
      askedAt = clock.steady();
      const asking = inTime(answers(what, call)).then((found) => (known = found));
      return within<boolean | undefined>(glance, asking, () => known);
    };
  }

  const askUpstream = watch('upstream', async () => {
    const { status, httpStatus } = await upstream.health('consumer');
    if (httpStatus >= 300) throw new Error(`The service states its health as ${status}`);
  });
  const askProvider = askSignIn && watch('signIn', askSignIn, signInTtl);

  const askStore = (): Promise<boolean> =>
    answers('store', async () => {
      await storage.assertWritable();
      await storedSettingsIn(storage, { workspace: defaultWorkspace, companyKey: firstCompany }).read();
    });

  async function look(): Promise<Readiness> {
    const [storeAnswers, service, signIn] = await Promise.all([inTime(askStore()), askUpstream(), askProvider?.()]);
    const setAside = storeAnswers ? await storage.quarantine.count() : 0;
    const store = storeAnswers && (await storage.settings.unreadable()).length === 0;
    const found = {
      store,
      ...(service !== undefined && { upstream: service }),
      ...(signIn !== undefined && { signIn }),
      ...(setAside > 0 && { setAside }),
    };
    last = { found, at: clock.steady() };
    return found;
  }

  return () => {
    if (last && clock.steady() - last.at < ttl) return Promise.resolve(last.found);
    return looks.run('', look);
  };
}

/**
 * Health checks for operators. /healthz: the process is running, in which version; /readyz: 503 unless the store works.
 * What else does not answer is told without a refusal, because another server would not reach it either.
 */
export const healthRoutes = (readiness: () => Promise<Readiness>): Route[] => [
  { method: 'GET', path: alivePath, answer: (ctx) => void (ctx.body = { status: 'ok', version }) },
  {
    method: 'GET',
    path: readyPath,
    async answer(ctx) {
      const found = await readiness();
      ctx.status = found.store ? 200 : 503;
      ctx.body = found;
    },
  },
];
