import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { companyHeader } from '#contract/constants.ts';
import type { BatchRequest } from '#contract/payment.ts';
import type { SituationFile } from '#contract/situation.ts';
import { readSession } from '#rules/harSession.ts';
import { runSituation } from '#server/situations/runSituation.ts';
import { withNewKeys, withoutKeys } from '#server/situations/keys.ts';
import { consoleWithSandbox, testConsole, testSandbox } from '#tests/support/console.ts';
import { batch as someBatch, payment as somePayment } from '#tests/support/consoleWithPayments.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { eventually } from '#tests/support/eventually.ts';
import { sharedSandbox } from '#tests/support/consoleWithUsers.ts';
import { walkerOn } from '#tests/support/journeyRunner.ts';
import { withAt } from '#tests/support/schemaMembers.ts';

/** A console that has paid a batch by the whole guided path, whose sandbox has a fault and another time. */
async function paid() {
  const { walker, server } = await walkerOn();
  await walker.guided();
  await server.done('setFault', {
    body: { on: 'call', of: 'banks', fault: { kind: 'status', status: 503 }, times: 'always', probability: 1, seed: 1 },
  });
  await server.done('changeClock', { body: { move: 3_600_000, still: true } });
  return { server, walker };
}

/** A payment as a file has it, which has made the batch, if one is given. */
const savedPayment = (key: string, batchId?: string): SituationFile['companies'][number]['payments'][number] => ({
  key,
  claimedAt: 0,
  batch: { ...someBatch, payments: [{ ...somePayment!, remittanceInformation: { reference: key } }] },
  ...(batchId !== undefined && { made: { batchId, status: 'Completed' } }),
});

type Console = Awaited<ReturnType<typeof paid>>['server'];
const save = (server: Console) => server.done('saveSituation', { query: {} });
const open = async (server: Console, file: SituationFile) => (await server.done('openSituation', { body: file })).data;

/** Creates a company of an organisation of its own. */
async function create(server: Pick<Console, 'done'>, name: string) {
  await server.done('createOrganisation', { body: organisationBody });
  await server.done('createCompany', { body: companyBody(name) });
}

/** The companies of a console, as a situation names them. */
const listed = async (server: Pick<Console, 'done'>) =>
  (await server.done('getFacts')).companies.map(({ organisationId, companyId, companyName }) => ({
    organisationId,
    companyId,
    companyName,
  }));

/** What of each company the sandbox no longer knows once all tokens have expired. */
async function lostLater(server: Pick<Console, 'done'>) {
  await server.done('changeClock', { body: { move: 21 * 60_000 } });
  const lost: string[] = [];
  for (const { companyKey } of (await server.done('getFacts')).companies)
    lost.push((await server.done('getFacts', { headers: { [companyHeader]: companyKey } })).lost);
  return lost;
}

/** What a console had when its situation was saved. */
async function savedMoment() {
  const { server } = await paid();
  const [{ data: lab }, settings, invoices] = [
    await server.done('getLab'),
    await server.done('getSettings', { query: {} }),
    await server.done('getInvoices', { query: { paid: 'true' } }),
  ];
  const file = await server.done('saveSituation', { query: { step: '/getbatch' } });
  return { file, lab, settings, invoices, baseUrl: server.config.upstream.baseUrl };
}

let known: ReturnType<typeof savedMoment> | undefined;
/** The same moment for all tests: walking to it takes seconds. */
const moment = () => (known ??= savedMoment());

/** Another console, in which the moment was opened. */
async function opened() {
  const { file } = await moment();
  const server = await consoleWithSandbox();
  await open(server, file);
  return { server, file };
}

/** The batches that the sandbox of a file has, as they were sent. */
const batchesIn = ({ sandbox }: SituationFile) =>
  sandbox.tables.resources
    .filter(({ kind }) => kind === 'batch')
    .map(({ value }) => (JSON.parse(value) as { request: BatchRequest }).request); // as the sandbox stores it

describe('A situation file', () => {
  it(
    'reopens sandbox, company, batch, fault and time on another console, with new keys (behaviour 10.27.1, 10.27.2)',
    { timeout: 60_000 },
    async () => {
      const { file, lab, settings: before, baseUrl } = await moment();
      expect(file.companies[0]?.signingKey).toMatch(/^\{\{key \d+\}\}$/);
      expect(file.keys.length).toBeGreaterThan(0);
      expect(file.companies[0]?.batches[0]?.totals).toEqual({
        paid: expect.stringMatching(/\d/) as string,
        failed: '',
      });
      expect(JSON.stringify(file)).not.toContain(baseUrl);

      const other = await consoleWithSandbox();
      expect(await open(other, file)).toEqual({ step: '/getbatch', ended: [], notes: [] });
      const after = await other.done('getSettings', { query: {} });
      for (const key of ['organisationId', 'companyId', 'subscriptionId', 'batchId', 'accountId', 'dataSetId'] as const)
        expect([key, after[key]]).toEqual([key, before[key]]);
      expect((await other.done('getFacts')).accessToken).toBe(true);
      expect(after.subscriptions.length).toBe(before.subscriptions.length);
      expect(after.subscriptions).not.toContain('.invalid');
      const batch = (await other.done('getBatch', { params: { batchId: before.batchId } })).data;
      expect(batch.batchId).toBe(before.batchId);
      const { data: now } = await other.done('getLab');
      expect(now.rules.map(({ on, of, fault }) => ({ on, of, fault }))).toEqual(
        lab.rules.map(({ on, of, fault }) => ({ on, of, fault })),
      );
      expect([now.clock.now, now.clock.still]).toEqual([file.sandbox.clock.now, true]);
      const again = await save(other);
      const [company] = file.companies;
      expect(again.companies).toEqual([{ ...company, signingKey: again.companies[0]?.signingKey }]);
      expect([again.sandbox.seed, again.sandbox.ids]).toEqual([file.sandbox.seed, file.sandbox.ids]);
      const { entries } = readSession(JSON.stringify(file));
      expect(entries.length).toBeGreaterThan(10);
    },
  );

  it(
    'still refuses a second payment of its invoices, however often it is opened (behaviour 10.27.5)',
    { timeout: 60_000 },
    async () => {
      const { server, file } = await opened();
      const body = { ...batchesIn(file)[0]!, externalId: 'again' };
      for (const key of ['second-1', 'second-2']) {
        expect((await server.refused('createBatch', { body, key })).code).toBe('paid-already');
        const { covered } = (await server.done('preparePayment', { body })).data;
        expect(covered.map(({ state }) => state)).toEqual(body.payments.map(() => 'paid'));
        expect(await server.done('getInvoices', { query: { paid: 'true' } })).toEqual((await moment()).invoices);
        await open(server, file);
      }
    },
  );

  it(
    'gives the same ids after each opening, and lets what was paid since be paid again (behaviour 10.27.1, 10.27.5)',
    { timeout: 60_000 },
    async () => {
      const { server, file } = await opened();
      const [first] = batchesIn(file);
      const body = {
        ...first!,
        externalId: 'later',
        payments: [{ ...first!.payments[0]!, remittanceInformation: { reference: 'LATER-1' } }],
      };
      const ids: string[] = [];
      const other = await consoleWithSandbox();
      for (const each of [server, other, server]) {
        await open(each, file);
        const { key } = (await each.done('preparePayment', { body })).data;
        ids.push((await each.done('createBatch', { body, key })).data.batchId);
        expect((await each.refused('createBatch', { body, key: `other-${ids.length}` })).code).toBe('paid-already');
      }
      expect(new Set(ids).size).toBe(1);
    },
  );

  it(
    'holds a payment whose response was lost, which is settled by the same batch and paid once (behaviour 10.27.5)',
    { timeout: 60_000 },
    async () => {
      const { server, file: before } = await opened();
      const [first] = batchesIn(before);
      const payments = [{ ...first!.payments[0]!, remittanceInformation: { reference: 'LOST-1' } }];
      const body = { ...first!, externalId: 'lost', payments };
      await server.done('setFault', {
        body: { on: 'call', of: 'createBatch', fault: { kind: 'answerLost' }, times: 1, probability: 1, seed: 1 },
      });
      const { key } = (await server.done('preparePayment', { body })).data;
      await server.refused('createBatch', { body, key });
      const file = await save(server);
      expect(file.companies[0]?.payments.filter(({ made }) => !made)).toMatchObject([{ key }]);

      const other = await consoleWithSandbox();
      await open(other, file);
      const second = { ...body, externalId: 'second' };
      expect(await other.refused('createBatch', { body: second, key: 'second' })).toMatchObject({
        code: 'paid-already',
      });
      const prepared = (await other.done('preparePayment', { body: second })).data;
      expect(prepared).toMatchObject({ key, first: { externalId: 'lost' } });
      await other.done('createBatch', { body, key });
      expect(batchesIn(await save(other)).filter(({ externalId }) => externalId === 'lost')).toHaveLength(1);
    },
  );

  it('that is not as it was saved is refused with the place, and nothing changes (behaviour 10.27.3; threat 6.45)', async () => {
    const { server } = await opened();
    const file = await save(server);
    const { resources } = file.sandbox.tables;
    const index = resources.findIndex(({ kind }) => kind === 'organisation');
    const [{ id, value } = resources[0]!, at] = [resources[index], `sandbox.tables.resources.${index}`];
    const jobs = [{ due_at: 1, task: 'format', payload: '{}', attempt: 0 }];
    const payment = savedPayment('1', 'a');
    const wrong: [place: string, value: unknown, fault: string][] = [
      ['version', 1, 'version'],
      ['console', '9.9.9', ''],
      ['kind', 'recipe', 'kind'],
      ['step', '//evil.example', 'step'],
      ['seed', 1, 'body'],
      ['sandbox', undefined, 'sandbox'],
      ['sandbox.clock.now', '9999-12-31T23:59:59Z', 'sandbox.clock.now'],
      ['sandbox.clock.now', '0001-01-01T00:00:00Z', 'sandbox.clock.now'],
      ['sandbox.tables', {}, 'sandbox.tables.resources'],
      ['sandbox.tables.sqlite_master', [], 'sandbox.tables'],
      ['sandbox.tables.jobs', jobs, 'sandbox.tables.jobs.0.task'],
      ['sandbox.tables.resources', [], 'companies.0.organisationId'],
      ['sandbox.tables.resources', [{ a: 1 }], 'sandbox.tables.resources.0.kind'],
      ['sandbox.tables.resources', [...resources, ...resources], `sandbox.tables.resources.${resources.length}`],
      [`${at}.evil"`, 1, at],
      [`${at}.kind`, 'receiver', `${at}.kind`],
      [`${at}.id`, `${id}.`, `${at}.value.organisationId`],
      [`${at}.value`, value.slice(0, -3), `${at}.value`],
      [`${at}.value`, value.replace('{"', '{'), `${at}.value`],
      [`${at}.value`, null, `${at}.value`],
      ['companies.0.organisationId', 'other', 'companies.0.organisationId'],
      ['companies.0.companyId', 'other', 'companies.0.companyId'],
      ['companies.0.companyId', 'a\u0000b', 'companies.0.companyId'],
      ['companies.0.signingKey', 'x', 'companies.0.signingKey'],
      ['companies.0.payments', [{ ...payment, claimedAt: 2 ** 53 - 1 }], 'companies.0.payments.0.claimedAt'],
      ['companies.0.payments', [{ ...payment, serviceKey: 'a' }], 'companies.0.payments.0.serviceKey'],
      ['companies.0.payments', [payment, savedPayment('1', 'b')], 'companies.0.payments.1'],
      ['companies.0.payments', [payment, savedPayment('2', 'A ')], 'companies.0.payments.1.made.batchId'],
    ];
    for (const [place, changed, fault] of wrong) {
      const body = withAt(file, place.split('.'), changed) as SituationFile; // as wrong as the test wants it
      const { status, code, errors = [] } = await server.refused('openSituation', { body });
      expect([place, status, code, errors[0]?.path ?? '']).toEqual([place, 400, 'invalid-request', fault]);
      const { companies, sandbox } = await save(server);
      expect([companies, sandbox.clock, sandbox.tables], place).toEqual([
        file.companies,
        file.sandbox.clock,
        file.sandbox.tables,
      ]);
    }
    const { batchId } = await server.done('getSettings', { query: {} });
    expect((await server.done('getBatch', { params: { batchId } })).data.batchId).toBe(batchId);
  });

  it('of many levels, or larger than a sandbox may be, is refused, and nothing changes (behaviour 10.27.3)', async () => {
    const server = await consoleWithSandbox();
    const file = await save(server);
    const send = (text: string) =>
      fetch(`${server.url}/api/situation`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
      });
    const text = JSON.stringify(file);
    const deep = text.replace('"log":{', `"log":{"a":${'['.repeat(5000)}${']'.repeat(5000)},`);
    const cut = text.slice(0, -20);
    const huge = JSON.stringify({ ...file, timeline: { log: { comment: 'x'.repeat(80_000_000) } } });
    for (const [sent, status] of [
      [deep, 400],
      [cut, 400],
      [huge, 413],
    ] as const) {
      const answer = await send(sent);
      expect(answer.status).toBe(status);
      expect(((await answer.json()) as { detail: string }).detail).toMatch(/\w{3}.{10}/);
    }
    expect((await save(server)).sandbox.tables).toEqual(file.sandbox.tables);
  });

  it('opens all companies of its console with their names and keys, of which none is refused later (behaviour 10.27.1)', async () => {
    const server = await consoleWithSandbox();
    await create(server, 'Alder Ltd');
    await create(server, 'Rehearsal');
    const before = await listed(server);
    const file = await save(server);
    expect(await open(server, file)).toMatchObject({ ended: [], notes: [] });
    expect(await listed(server)).toEqual(before);
    expect(await lostLater(server)).toEqual(['', '']);

    const other = await consoleWithSandbox();
    await open(other, file);
    expect(await listed(other)).toEqual(before);
    expect((await other.done('getFacts')).settings.companyId).toBe(before.at(-1)?.companyId);
    expect(await lostLater(other)).toEqual(['', '']);
  });

  it('ends the companies that it lacks, which its check names before, and changes nothing by that (behaviour 10.27.7)', async () => {
    const server = await consoleWithSandbox();
    await create(server, 'Alder Ltd');
    const file = await save(server);
    const kept = await listed(server);
    await create(server, 'Birch Ltd');
    const [, birch] = await listed(server);
    const { data: checked } = await server.done('checkSituation', { body: file });
    expect(checked).toEqual({ savedAt: file.savedAt, opens: kept, ends: [birch] });
    expect(await listed(server)).toEqual([...kept, birch]);
    expect(await lostLater(server)).toEqual(['', '']);
    expect(await open(server, file)).toMatchObject({ ended: [birch] });
    expect(await listed(server)).toEqual(kept);
    expect(await lostLater(server)).toEqual(['']);
  });

  it('keeps the payments of two companies that a program has given the same ids, also under one idempotency key (behaviour 10.27.5)', async () => {
    const server = await consoleWithSandbox();
    await create(server, 'Alder Ltd');
    await server.done('createCompany', { body: companyBody('Birch Ltd') });
    const [alder] = await listed(server);
    await server.done('setSetting', { body: { key: 'companyId', value: alder!.companyId } });
    const { workspace } = server.store;
    const bodyOf = (reference: string): BatchRequest => ({
      ...someBatch,
      externalId: reference,
      payments: [{ ...somePayment!, remittanceInformation: { reference } }],
    });
    const { companies } = await server.done('getFacts');
    for (const [index, { companyKey }] of companies.entries())
      for (const outcome of ['paid', 'lost']) {
        const name = `${outcome}-${index}`;
        const { writes } = server.storage;
        const row = await writes.claim({
          workspace,
          companyKey,
          key: outcome,
          call: 'createBatch',
          fingerprint: name,
          serviceKey: randomUUID(),
          serviceTime: undefined,
          body: bodyOf(name),
        });
        if (outcome === 'paid')
          await writes.end(row!, { answer: {}, created: { kind: 'batch', id: `batch-${index}` } });
        else await writes.loseTrack(row!, 'lost');
      }

    const file = await save(server);
    expect(file.companies).toHaveLength(1);
    const { payments } = file.companies[0]!;
    expect([payments.length, new Set(payments.map(({ key }) => key)).size]).toEqual([4, 4]);
    for (const each of [server, await consoleWithSandbox()]) {
      await open(each, file);
      for (const name of ['paid-0', 'paid-1', 'lost-0', 'lost-1'])
        expect([
          name,
          await each.call('createBatch', { body: { ...bodyOf(name), externalId: 'again' } }),
        ]).toMatchObject([name, { problem: { code: 'paid-already' } }]);
    }
  });

  it('of another user opens with its payments, which stay paid (behaviour 10.27.5)', async () => {
    const server = await sharedSandbox();
    const [ada, eve] = [await server.signedIn('ada'), await server.signedIn('eve')];
    await create(ada, 'Alder Ltd');
    const file = await ada.done('saveSituation', { query: {} });
    const paid = withAt(file, ['companies', 0, 'payments'], [savedPayment('1', 'batch-1')]) as SituationFile;
    for (const user of [ada, eve]) {
      const { notes } = (await user.done('openSituation', { body: paid })).data;
      expect(notes).toEqual(user === ada ? [] : ['batch batch-1: another user of this console has it']);
      const body = { ...savedPayment('1').batch, externalId: 'again' };
      expect(await user.refused('createBatch', { body })).toMatchObject({ code: 'paid-already' });
    }
  });

  it('leaves out a company that the sandbox has no longer, and can be opened (behaviour 10.27.1)', async () => {
    const server = await consoleWithSandbox();
    await create(server, 'Alder Ltd');
    const { upstream } = server.config;
    const body = new URLSearchParams({ token: upstream.lab?.token ?? '' });
    expect((await fetch(`${upstream.baseUrl}/sandbox/reset`, { method: 'POST', body })).ok).toBe(true);
    await create(server, 'Birch Ltd');
    const file = await save(server);
    expect(file.companies.map(({ companyName }) => companyName)).toEqual(['Birch Ltd']);
    expect((await open(server, file)).ended).toMatchObject([{ companyName: 'Alder Ltd' }]);
  });

  it('and the emptying of the sandbox leave companies that can be used, whichever two of them happen at once (behaviour 10.27.8)', async () => {
    const server = await consoleWithSandbox();
    await create(server, 'Alder Ltd');
    const [one, other] = [await save(server), await save(server)];
    const acts = {
      open: () => server.call('openSituation', { body: one }),
      openOther: () => server.call('openSituation', { body: other }),
      save: () => server.call('saveSituation', { query: {} }),
      empty: () => server.call('emptySandbox'),
    };
    for (const [first, second] of [
      ['open', 'open'],
      ['open', 'openOther'],
      ['open', 'save'],
      ['open', 'empty'],
      ['empty', 'open'],
      ['save', 'empty'],
      ['empty', 'empty'],
    ] as const) {
      const answers = await Promise.all([acts[first](), acts[second]()]);
      expect(
        answers.map(({ status }) => status),
        `${first} and ${second}`,
      ).toEqual([200, 200]);
      expect((await lostLater(server)).filter(Boolean), `${first} and ${second}`).toEqual([]);
    }
    await server.done('emptySandbox');
    expect(await listed(server)).toEqual([]);
    await create(server, 'Birch Ltd');
    expect(await lostLater(server)).toEqual(['']);
  });

  it.each(['openSituation', 'emptySandbox'] as const)(
    'and what was made before leave nothing where it ends while an organisation is created (%s), whose id is issued again (behaviour 10.27.8)',
    async (ending) => {
      const server = await consoleWithSandbox();
      const file = await save(server);
      const end = () => (ending === 'openSituation' ? open(server, file) : server.done('emptySandbox'));
      await end();
      const fault = { kind: 'slow' as const, ms: 600 };
      await server.done('setFault', {
        body: { on: 'call', of: 'createOrganisation', fault, times: 1, probability: 1, seed: 1 },
      });
      const creating = server.call('createOrganisation', { body: organisationBody });
      await eventually(async () => expect((await server.done('getLab')).data.rules[0]?.happened).toBe(1));
      await end();
      await creating;
      expect(await listed(server)).toEqual([]);
      if (ending === 'openSituation') await end();
      await create(server, 'Alder Ltd');
      expect(await lostLater(server)).toEqual(['']);
    },
  );

  it('is neither saved nor opened where the service is live (behaviour 10.27.3)', async () => {
    const sandbox = await consoleWithSandbox();
    const file = await sandbox.done('saveSituation', { query: {} });
    const live = await testConsole({ upstreamUrl: (await testSandbox()).url, changes: { environment: 'live' } });
    for (const reply of [
      await live.call('saveSituation', { query: {} }),
      await live.call('openSituation', { body: file }),
    ])
      expect(JSON.stringify(reply)).toContain('this console uses a live service');
  });

  it('is saved and opened by the command, which says what is wrong (behaviour 10.27.1, 10.27.3)', async () => {
    const server = await consoleWithSandbox();
    const path = join(mkdtempSync(join(tmpdir(), 'situation-')), 'a.json');
    const run = async (...args: string[]) => {
      const told: string[] = [];
      const tell = (line: string) => void told.push(line);
      return { status: await runSituation(args, { print: tell, complain: tell }), told: told.join('\n') };
    };
    expect(await run('save', path, '--console', server.url, '--step', '/banks')).toMatchObject({ status: 0 });
    expect(await run('open', path, '--console', server.url)).toMatchObject({
      status: 0,
      told: expect.stringContaining('/banks') as unknown,
    });
    writeFileSync(path, `\ufeff${readFileSync(path, 'utf8')}`);
    expect(await run('open', path, '--console', server.url)).toMatchObject({ status: 0 });
    writeFileSync(path, readFileSync(path, 'utf8').replace('"version": 3', '"version": 2'));
    const wrong = await run('open', path, '--console', server.url);
    expect([wrong.status, wrong.told]).toEqual([2, expect.stringContaining('this console opens no other version')]);
    for (const [args, words] of [
      [['open', path], '--console is ""'],
      [['keep', path, '--console', server.url], 'Give save or open'],
      [['open', '/nowhere/a.json', '--console', server.url], 'cannot be read'],
      [['save', '/nowhere/a.json', '--console', server.url], 'cannot be written'],
      [['save', path, '--console', 'http://127.0.0.1:9'], 'unreachable'],
      [['save', path, '--colour', 'red'], 'colour'],
    ] as const)
      expect(await run(...args)).toMatchObject({ status: 2, told: expect.stringContaining(words) as unknown });
    expect((await run('--help')).status).toBe(0);
  });
});

it('the link of a consent has another token after opening, and works; that of a batch is its id (behaviour 10.27.2)', () => {
  const [party, batch] = ['9c1b2f5e-aaaa-4bbb-8ccc-0123456789ab', '1d1b2f5e-aaaa-4bbb-8ccc-0123456789ab'];
  const value = {
    rows: [
      { kind: 'consent', id: party, value: JSON.stringify({ consentId: party, task: { kind: 'party' } }) },
      { kind: 'consent', id: batch, value: JSON.stringify({ consentId: batch, task: { kind: 'batch' } }) },
    ],
    body: JSON.stringify({ authorise: `https://sandbox.example/provider/consents/${party}` }),
  };
  const { value: without, keys } = withoutKeys(value);
  expect(keys).toEqual([36]);
  expect(JSON.stringify(without)).not.toContain(party);
  const anew = withNewKeys(without, keys);
  const { id } = anew.rows[0]!;
  expect(id).not.toBe(party);
  expect(JSON.parse(anew.rows[0]!.value)).toMatchObject({ consentId: id });
  expect(anew.body).toContain(`/consents/${id}`);
  expect(anew.rows[1]).toEqual(value.rows[1]);
});

it('keys are found in texts of JSON too, and replaced by other keys of their length, each by one (behaviour 10.27.2)', () => {
  const key = 'k'.repeat(20);
  const value = {
    a: { signingKey: key },
    rows: [{ value: JSON.stringify({ primarySigningKey: key, jwt: 'j'.repeat(30), name: 'n'.repeat(30) }) }],
  };
  const { value: without, keys } = withoutKeys(value);
  expect(keys).toEqual([30, 20]);
  expect(JSON.stringify(without)).not.toMatch(/k{20}|j{30}/);
  expect(JSON.stringify(without)).toContain('n'.repeat(30));
  const anew = withNewKeys(without, keys);
  expect(anew.a.signingKey).toHaveLength(20);
  expect(JSON.parse(anew.rows[0]!.value)).toMatchObject({ primarySigningKey: anew.a.signingKey });
  expect(withNewKeys(without, keys).a.signingKey).not.toBe(anew.a.signingKey);
});
