import { unzipSync, strFromU8 } from 'fflate';
import { expect, it } from 'vitest';
import { collectionPaths } from '#contract/exports.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { notTested, testedCall } from '#rules/replay.ts';
import { plain } from '#runner/file.ts';
import { consoleWithSandbox, testSandbox } from '#tests/support/console.ts';
import { runHttpFile } from '#tests/support/httpFileRunner.ts';
import { walkerOn } from '#tests/support/journeyRunner.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

/** A console that has created an organisation, whose calls are recorded. */
async function withCalls() {
  const server = await consoleWithSandbox();
  const body = {
    externalId: 'o',
    sageCRMId: 'crm-1',
    primaryCountry: 'GBR',
    adminEmail: 'a@example.com',
    defaultLanguage: 'EN',
  };
  await server.done('createOrganisation', { body });
  return { server, get: (path: string) => fetch(server.url + path) };
}

it('the calls that a filter selects are downloaded as a Postman collection, a Bruno folder and a .http file (behaviour 10.25.1, 10.25.3)', async () => {
  const { get } = await withCalls();
  const all = '?kind=service';
  const postman = (await (await get(collectionPaths.postman + all)).json()) as {
    item: { name: string }[];
    info: { schema: string };
  };
  expect(postman.item.map(({ name }) => name)).toContain('1 createOrganisation');
  const files = unzipSync(new Uint8Array(await (await get(collectionPaths.bruno + all)).arrayBuffer()));
  expect(Object.keys(files)).toContain('payments-out/1 createOrganisation.bru');
  const text = await (await get(collectionPaths.httpFile + all)).text();
  expect(text).toContain('POST {{baseUrl}}/auth-v1/organisations');
  const everything = [JSON.stringify(postman), text, ...Object.values(files).map((each) => strFromU8(each))].join('\n');
  for (const secret of [sandboxCredentials.apiKey, sandboxCredentials.signingKey])
    expect(everything).not.toContain(secret);
  const none = (await (await get(`${collectionPaths.postman}?journey=batch`)).json()) as { item: unknown[] };
  expect(none.item).toEqual([]);
});

it('a filter of an export that is not as declared is refused with what would be right', async () => {
  const { get } = await withCalls();
  const answer = await get(`${collectionPaths.httpFile}?kind=gossip`);
  expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ path: 'kind' }] }]);
});

it(
  'the way of the company that is shown is exported without the calls of others, and pays a batch elsewhere (behaviour 10.25.4)',
  { timeout: 60_000 },
  async () => {
    const { walker, server } = await walkerOn();
    const settings = { journey: 'settings', values: { useNetwork: 'false' }, choices: {} } as const;
    await walker.all([settings, plain('organisation'), plain('company'), plain('organisation')]);
    const walked = await walker.guided();
    expect(walked.filter(({ end }) => end !== 'done')).toEqual([]);
    const text = await (await fetch(`${server.url}${collectionPaths.httpFile}?of=company`)).text();
    const names = [...text.matchAll(/^### (?:\d+ )?(.*)$/gm)].map(([, name]) => name);
    for (const once of [
      'createOrganisation',
      'createCompany',
      'createSubscription',
      'debtoraccountputs',
      'creditorputs',
      'createBatch',
    ])
      expect(names.filter((name) => name === once)).toEqual([once]);
    expect(names.filter((name) => /^(providers|fileFormats)$/.test(name ?? ''))).toEqual([]);
    const sandbox = await testSandbox();
    await sandbox.faults.add({ on: 'authorisation', fault: { kind: 'approve', ms: 0 }, times: 'always' });
    const { apiKey, signingKey } = sandboxCredentials;
    await runHttpFile(text, { apiKey, signingKey, baseUrl: sandbox.url }, 300);
    await sandbox.settled();
    await expect.poll(async () => (await sandbox.batches()).map(({ status }) => status)).toEqual(['Completed']);
  },
);

it(
  'the calls of two companies are exported together, and pay a batch of each elsewhere (behaviour 10.25.6)',
  { timeout: 60_000 },
  async () => {
    const { walker, server } = await walkerOn();
    await walker.all([{ journey: 'settings', values: { useNetwork: 'false' }, choices: {} }]);
    const first = await walker.guided();
    const second = [...(await walker.all([plain('organisation')])), ...(await walker.guided())];
    expect([...first, ...second].filter(({ end }) => end !== 'done')).toEqual([]);
    const text = await (await fetch(`${server.url}${collectionPaths.httpFile}?kind=service`)).text();
    expect(text).toContain("client.global.set('organisationKey2'");
    const sandbox = await testSandbox();
    await sandbox.faults.add({ on: 'authorisation', fault: { kind: 'approve', ms: 0 }, times: 'always' });
    const { apiKey, signingKey } = sandboxCredentials;
    await runHttpFile(text, { apiKey, signingKey, baseUrl: sandbox.url }, 100);
    await sandbox.settled();
    expect(sandbox.calls().filter(({ status }) => status >= 400)).toEqual([]);
    await expect
      .poll(async () => (await sandbox.batches()).map(({ status }) => status))
      .toEqual(['Completed', 'Completed']);
  },
);

it('an export of another selection than the company is refused with what would be right', async () => {
  const { get } = await withCalls();
  const answer = await get(`${collectionPaths.httpFile}?of=everyone`);
  expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ path: 'of' }] }]);
});

it('a test is made of a recorded write without its secrets, and of nothing else (behaviour 10.25.10)', async () => {
  const { server } = await withCalls();
  const { data } = await server.done('getTimeline', { query: { limit: '100' } });
  const written = data.find((entry) => testedCall(entry) === 'createOrganisation');
  const test = async (entryId = '') => server.call('getTest', { params: { entryId }, query: { runner: 'node' } });
  const made = await test(written?.id);
  expect(made).toMatchObject({ ok: true, answer: { data: { name: 'createOrganisation.test.mjs' } } });
  const text = JSON.stringify(made);
  for (const part of ["from 'node:test'", 'const createOrganisation = {', 'await send(createOrganisation), 201'])
    expect(text).toContain(part);
  for (const secret of [sandboxCredentials.apiKey, sandboxCredentials.signingKey]) expect(text).not.toContain(secret);
  expect(await test(data.find(({ kind }) => kind === 'call')?.id)).toMatchObject({ problem: { code: 'not-found' } });
});

it.each([
  ['was accepted', {}, ''],
  ['was refused for its body', { status: 422 }, ''],
  ['had no response by a fault', { status: 0, fault: 'answerLost; rule=1' }, ''],
  ['had no response', { status: 0 }, 'It had no response, and no fault of the lab was the cause.'],
  ['was in conflict', { status: 409 }, 'Neither its body nor a fault of the lab caused the status 409.'],
  ['was recorded in part', { request: { truncated: true } }, 'Its body was not recorded as it was sent.'],
])('a write that %s says whether a test repeats its outcome (behaviour 10.25.10)', (_, change, whyNot) => {
  const message = { headers: {}, body: '{}', bytes: 2 };
  const entry = { kind: 'service', status: 201, request: message, response: message, ...change } as TimelineEntry; // what is read of it
  expect(notTested(entry, false)).toBe(whyNot);
  expect(notTested(entry, true)).toBe('It was sent to a live service, whose records no sandbox has.');
});
