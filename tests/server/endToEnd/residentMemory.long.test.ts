import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Pool } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { openApi } from '#server/api/openapi.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { apiAt } from '#tests/support/api.ts';
import { liveEnvironment } from '#tests/support/liveEnvironment.ts';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { deliver } from '#tests/support/deliverWebhook.ts';
import { answering, fakeUpstream, unsignedJwt, type Script } from '#tests/support/fakeUpstream.ts';
import { answersFrom } from '#tests/support/hostileAnswers.ts';
import { deliveryTexts } from '#tests/support/hostileWebhooks.ts';
import { requestsFor, type WireRequest } from '#tests/support/openApiRequests.ts';
import { seedOf } from '#tests/support/random.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

/** `npm run fuzz` makes 10,000 requests. */
const runs = Number(process.env['RUNS'] ?? 600);
const seed = seedOf(process.env);
const [rounds, lanes] = [10, 4];
const each = Math.ceil(runs / rounds);
const MB = 1024 ** 2;
/** A leak of 1 kB per request exceeds it in 10,000 requests: at least four rounds lie between the compared ones. */
const mostGrowth = 3 * MB;
/** Resident memory settles at 130 to 160 MB, depending on bounded caches and the allocator. */
const mostResident = 192 * MB;

/** The id in generated requests, which is replaced by a new one in each request. */
const usualId = /00000000-0000-4000-8000-000000000000/g;

/**
 * Maximum length of answers and webhooks. Definitions are cached for a minute, up to 64 MB of them: large ones would hide
 * what is never released. The other fuzz tests send large ones.
 */
const longest = 2000;

it('Memory of the process stays stable over random requests, responses and webhooks (threat 6.35)', async () => {
  console.log(`SEED=${seed} RUNS=${runs}`);
  const sample = <T>(arbitrary: fc.Arbitrary<T>) => fc.sample(arbitrary, { seed, numRuns: Math.ceil(each / 2) });
  const requests = sample(requestsFor(openApi()));
  const webhooks = sample(deliveryTexts).filter((text) => text.length < longest);
  const answers = sample(answersFrom(sandboxCredentials.apiKey)).filter(({ text }) => text.length < longest);

  let asked = 0;
  const hostile: Script = (response) => {
    const { status, text } = answers[(asked += 1) % answers.length]!; // there are some
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };
  const service = await fakeUpstream({
    '/': hostile,
    [endpoints.consumerStatus]: answering({ version: '1', branch: 'b', name: 'n' }),
    [endpoints.createOrganisation]: answering({ organisationId: 'o', primarySigningKey: 'key' }),
    [endpoints.createCompany]: answering({ companyId: 'c', organisationId: 'o' }),
    [endpoints.accessToken]: answering({ jwt: unsignedJwt(1_000_000) }),
  });
  const program = await newConsole({ ...liveEnvironment(service.url), RATE_LIMIT: '100000', LOG_LEVEL: 'fatal' });
  onTestFinished(() => program.remove());
  await program.start();
  const { done } = apiAt(program.url);
  await done('useExisting', { body: { organisationId: 'o', companyId: 'c', signingKey: 'key' } });
  const pool = new Pool(program.url, { connections: lanes });
  onTestFinished(() => pool.close());

  async function request({ method, path, headers, body }: WireRequest): Promise<void> {
    const fresh = (text: string) => text.replace(usualId, randomUUID());
    const own = headers['idempotency-key'] === '' ? {} : { 'idempotency-key': randomUUID() };
    const answer = await pool.request({
      method,
      path: fresh(path),
      headers: { ...headers, ...own },
      body: body && fresh(body),
    });
    await answer.body.dump();
  }
  const load = [
    ...requests.map((each) => () => request(each)),
    ...webhooks.map((text) => async () => void (await (await deliver(program.url, text)).arrayBuffer())),
  ];

  const measured: Awaited<ReturnType<typeof program.memory>>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    let next = 0;
    const work = async () => {
      while (next < load.length) await load[next++]!(); // it is one of them
    };
    await Promise.all(Array.from({ length: lanes }, work));
    service.asked.length = 0;
    measured.push(await program.memory());
  }
  const inMB = (bytes: number) => (bytes / MB).toFixed(1);
  for (const what of ['values', 'resident'] as const) {
    console.log(`${what}, MB: ${measured.map((each) => inMB(each[what])).join(' ')}`);
  }
  // The lowest value counts, as garbage is temporary. The first rounds are the warm-up.
  const lowest = (from: number, to?: number) => Math.min(...measured.slice(from, to).map(({ values }) => values));
  expect(lowest(7) - lowest(3, 6), 'growth of values, bytes').toBeLessThan(mostGrowth);
  expect(measured.at(-1)?.resident, 'resident memory, bytes').toBeLessThan(mostResident);
  expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
}, 1_800_000);
