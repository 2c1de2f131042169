import fc from 'fast-check';
import { Pool } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { problemSchema } from '#contract/problem.ts';
import { openApi } from '#server/api/openapi.ts';
import { consoleWithSandbox, silent } from '#tests/support/console.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import { requestsFor, type WireRequest } from '#tests/support/openApiRequests.ts';
import { seedOf } from '#tests/support/random.ts';
import { expectReadable, longestAnswer } from '#tests/support/readableRecords.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { watchStalls } from '#tests/support/stalls.ts';
import { runsOf } from '#tests/support/runCounts.ts';

/** `npm run fuzz` makes 10,000 requests. */
const runs = runsOf(500);
const seed = seedOf(process.env);
/** ms */
const [longest, longestStall] = [10_000, 1000];

/** An export of the whole timeline, which may hold it twice as JSON; no page reads it. */
const longestExport = 32 * 1024 * 1024;
const isExport = (path: string): boolean => /^\/api\/timeline\.(har|zip)/i.test(path);

const unbounded = { perSecond: 1_000_000, burst: 1_000_000 };

describe('A random request to any route', () => {
  it(
    'is answered within 10 s, without a secret, and with a problem unless it succeeded (threat 6.20)',
    { timeout: 1_800_000 },
    async () => {
      console.log(`SEED=${seed} RUNS=${runs}`);
      const server = await consoleWithSandbox(silent, unbounded);
      await onboard(server);
      await subscribe(server);
      const { companySigningKey = '', userJwt = '' } = await server.store.settings.read();
      const { apiKey, signingKey, webhookSecret } = sandboxCredentials;
      const secrets = [companySigningKey, userJwt, apiKey, signingKey, webhookSecret];
      expect(secrets.every((secret) => secret.length > 10)).toBe(true);

      const pool = new Pool(server.url);
      onTestFinished(() => pool.close());
      const seen = new Map<string, number>();
      const stalls = watchStalls();

      async function ask({ method, path, headers, body }: WireRequest): Promise<void> {
        stalls.longest();
        const answer = await pool.request({
          method,
          path,
          headers,
          body,
          signal: AbortSignal.timeout(longest),
        });
        const text = await answer.body.text();
        expect(stalls.longest()).toBeLessThan(longestStall);
        const most = isExport(path) ? longestExport : Math.max(longestAnswer, 2 * (body?.length ?? 0));
        expect(text.length, path).toBeLessThan(most);
        const status = answer.statusCode;
        seen.set(`${status}`, (seen.get(`${status}`) ?? 0) + 1);
        for (const secret of secrets) expect(text).not.toContain(secret);
        if (status < 400 || method === 'HEAD') return;
        expect(answer.headers['content-type']).toContain('application/problem+json');
        const problem = problemSchema.parse(JSON.parse(text));
        expect(problem.status).toBe(status);
        if (status >= 500) expect(problem.code).toMatch(/^upstream-/);
      }

      await fc.assert(fc.asyncProperty(requestsFor(openApi()), ask), { seed, numRuns: runs, endOnFailure: false });
      console.table(Object.fromEntries([...seen].sort()));
      // Some requests passed all checks.
      for (const status of ['200', '400', '403', '404', '415'])
        expect(seen.get(status) ?? 0, status).toBeGreaterThan(0);
      await expectReadable(server);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    },
  );
});
