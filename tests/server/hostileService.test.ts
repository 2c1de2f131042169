import { setTimeout as pause } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calls, type CallName } from '#contract/calls.ts';
import { problemSchema } from '#contract/problem.ts';
import { answersFrom } from '#tests/support/hostileAnswers.ts';
import { testConsole } from '#tests/support/console.ts';
import { fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';
import { memoryInUse } from '#tests/support/memory.ts';
import { seedOf } from '#tests/support/random.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { endpoints } from '#server/upstream/wire.ts';

/** `npm run fuzz` makes 10,000 answers. */
const runs = Number(process.env['RUNS'] ?? 300);
const seed = seedOf(process.env);
/** ms, bytes, bytes. */
const [longestStall, longestAnswer, mostGrowth] = [1000, 1024 * 1024, 64 * 1024 * 1024];

const uuid = '0b8a5f0e-4f3c-4d43-9a57-6a7d7c1f0c55';
const organisation = { sageCRMId: '1', primaryCountry: 'GBR', adminEmail: 'a@example.com', defaultLanguage: 'EN' };
const text = 'text';
const bodies: Partial<Record<CallName, unknown>> = {
  createOrganisation: organisation,
  createCompany: {
    name: text,
    externalId: text,
    taxNumber: text,
    standardIndustrialCode: text,
    contactTelNo: text,
    contactEmail: 'a@example.com',
  },
  createSubscription: { data: { providerId: 'p', additionalData: '{}' } },
  patchSubscription: { data: { suspendedByConsumer: true } },
  queryDebtors: { data: { subscriptionId: 's' } },
  putCreditor: { data: { creditorId: uuid, subscriptionId: 's' } },
  createBatch: {
    externalId: 'e',
    requestedExecutionDateTime: '2030-01-01T00:00:00Z',
    payments: [{ instructedAmount: { amount: '1.00', currency: 'GBP' }, creditor: { name: 'n' } }],
  },
};

/** Calls that ask the service for something. */
const asking: CallName[] = [
  'getFacts',
  'getProviders',
  'getProvider',
  'getLocalInstruments',
  'getBanks',
  'getSubscription',
  'getFileFormats',
  'getBatch',
  'getTranslation',
  'getConsumerHealth',
  'getToken',
  ...(Object.keys(bodies) as CallName[]), // the table's own keys
];

describe('a service that', () => {
  it(
    'answers any call with anything, and is told in time, in few words, without growing',
    { timeout: 900_000 },
    async () => {
      console.log(`SEED=${seed} RUNS=${runs}`);
      let next = { status: 200, text: '{}' };
      const token = JSON.stringify({ jwt: unsignedJwt(1_000_000) });
      const service = await fakeUpstream({
        '/': (response) => void response.writeHead(next.status, { 'content-type': 'application/json' }).end(next.text),
        [endpoints.accessToken]: (response) =>
          void response.writeHead(200, { 'content-type': 'application/json' }).end(token),
      });
      const { url, store } = await testConsole({
        upstreamUrl: service.url,
        rate: { perSecond: 1_000_000, burst: 1_000_000 },
        limits: { backOff: 1, budget: 1 },
      });
      const { apiKey, signingKey } = sandboxCredentials;
      const secrets = [apiKey, signingKey, 'the-company-signing-key'];
      const reset = () =>
        store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'the-company-signing-key' });
      await reset();
      const seen = new Map<string, number>();
      let done = 0;
      let before = Infinity;

      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...asking), answersFrom(apiKey), async (name, answer) => {
          next = answer;
          const { method, path } = calls[name];
          const body = bodies[name];
          const stalls = monitorEventLoopDelay({ resolution: 10 });
          stalls.enable();
          const work = process.cpuUsage();
          // The definitions are kept for a while under their address.
          const own = path.replace(/\{\w+\}/g, `id-${done}`);
          const response = await fetch(`${url}${own}?language=${method === 'GET' ? 'en' : ''}`, {
            method,
            headers: { 'content-type': 'application/json', 'idempotency-key': `key-${done}` },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
          const said = await response.text();
          stalls.disable();
          const { user, system } = process.cpuUsage(work);
          seen.set(`${response.status}`, (seen.get(`${response.status}`) ?? 0) + 1);
          // On a busy machine others stall it as well: it cannot have stalled longer than it has worked.
          expect(Math.min(stalls.max / 1e6, (user + system) / 1e3), name).toBeLessThan(longestStall);
          expect(said.length, name).toBeLessThan(Math.max(longestAnswer, 2 * answer.text.length));
          for (const secret of secrets) expect(said).not.toContain(secret);
          if (!response.ok) {
            expect(said.length, name).toBeLessThan(200_000);
            const problem = problemSchema.parse(JSON.parse(said));
            expect(problem.code, `${name} ${problem.detail}`).not.toBe('internal');
          }
          await reset();
          done += 1;
          if (done === Math.floor(runs / 3)) before = memoryInUse();
          if (done % 100 === 0) await pause(1);
        }),
        { seed, numRuns: runs, endOnFailure: runs > 1000 },
      );
      console.table(Object.fromEntries([...seen].sort()));
      for (const status of ['200', '502']) expect(seen.get(status) ?? 0, status).toBeGreaterThan(0);
      expect(memoryInUse() - before).toBeLessThan(mostGrowth);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    },
  );
});
