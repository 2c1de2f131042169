import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchRecord } from '#contract/batch.ts';
import { partyForm, paymentForm } from '#rules/field.ts';
import { nested } from '#rules/payload.ts';
import { eventually } from '#tests/support/eventually.ts';
import { apiAt } from '#tests/support/api.ts';
import { batchBody, examples, onboard, subscribe } from '#tests/support/guidedPath.ts';
import { statement } from '#tests/support/postgres.ts';
import { randomFrom, seedOf } from '#tests/support/random.ts';
import { runsOf } from '#tests/support/runCounts.ts';
import { severalProcesses, type SeveralProcesses } from '#tests/support/severalProcesses.ts';

/** Accidents over all kinds; `npm run kill` makes 100, `npm run test:all` one of each of the first kinds. */
const runs = runsOf(3);
const seed = seedOf(process.env);
const random = randomFrom(seed);
const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
/** Time (ms) after which a client without a response tries another server. */
const patience = 4000;

let several: SeveralProcesses;
let material: Awaited<ReturnType<typeof subscribe>>;
/** All requests, because a server may continue one whose client has given up. */
const sent: Promise<unknown>[] = [];
/** Ids of confirmed records, and the number of requests that failed or got no response. */
const confirmed = { debtor: [] as string[], batch: [] as string[] };
let lost = 0;

type Api = ReturnType<typeof apiAt>;

beforeAll(async () => {
  console.log(`SEED=${seed} RUNS=${runs}`);
  several = await severalProcesses(3);
  const api = apiAt(several.proxy.url);
  await onboard(api);
  material = await subscribe(api, 'Larkfield Bacs Bureau');
  confirmed.debtor.push(...(await api.done('getDebtors')).data.map(({ debtorId }) => debtorId));
}, 180_000);
afterAll(() => several.close(), 60_000);

/** Sends a request to one server after the other until one confirms it. Rejects if one refuses it. */
async function confirmedBy<T>(send: (api: Api) => Promise<T>): Promise<T> {
  const until = performance.now() + 60_000;
  for (;;) {
    const answer = send(apiAt(oneOf(several.consoles).url));
    sent.push(answer.catch(() => undefined));
    try {
      return await Promise.race([answer, wait(patience).then(() => Promise.reject(new Error('no answer in time')))]);
    } catch (error) {
      const isRefused = /"status":4(?!29)/.test(String(error));
      if (isRefused || performance.now() > until) throw error;
      lost += 1;
      await wait(50);
    }
  }
}

async function writeDebtor(): Promise<void> {
  const { rules, subscriptionId } = material;
  const form = partyForm(rules, 'DebtorAccounts');
  const [key, debtorId] = [randomUUID(), randomUUID()];
  const [first] = Object.keys(examples(form));
  expect(first).toBeDefined();
  const data = { ...nested(form, examples(form)), subscriptionId, debtorId };
  await confirmedBy((api) => api.done('putDebtor', { body: { data }, key }));
  confirmed.debtor.push(debtorId);
}

/** The same batch for invoices that no other client pays. */
const ofItsOwn = (body: Awaited<ReturnType<typeof batchBody>>) => ({
  ...body,
  payments: body.payments.map((payment) => ({
    ...payment,
    remittanceInformation: { ...payment.remittanceInformation, reference: `INV-${randomUUID().slice(0, 8)}` },
  })),
});

async function writeBatch(): Promise<void> {
  const { rules, subscriptionId } = material;
  const key = randomUUID();
  const body = await confirmedBy(async (api) => ofItsOwn(await batchBody(api, subscriptionId, paymentForm(rules))));
  const { data } = await confirmedBy((api) => api.done('createBatch', { body, key }));
  confirmed.batch.push(data.batchId);
}

const sql = (text: string) => statement(several.database.url, text);

const accidents: Record<string, () => Promise<void>> = {
  'a server is killed': async () => {
    const victim = oneOf(several.consoles);
    await victim.stop('SIGKILL');
    await wait(random() * 1000);
    await victim.start();
  },
  'all connections are cut': async () => {
    await sql(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  },
  'commits fail': async () => {
    await sql(`create sequence failing;
      create function fail() returns trigger language plpgsql as $$ begin
        if nextval('failing') <= 3 then raise exception 'the commit fails'; end if;
        return null;
      end $$;
      create constraint trigger fail after insert or update on records deferrable initially deferred
        for each row execute function fail()`);
    await eventually(async () =>
      expect(Number((await sql('select last_value from failing'))[0]!['last_value'])).toBeGreaterThan(3),
    );
    await sql('drop trigger fail on records; drop function fail; drop sequence failing');
  },
  'a server stands still for longer than its lease': async () => {
    const pid = oneOf(several.consoles).pid();
    process.kill(pid, 'SIGSTOP');
    await wait(7000);
    process.kill(pid, 'SIGCONT');
  },
  'a server is told to end, and started anew': async () => {
    const victim = oneOf(several.consoles);
    expect(await victim.stop('SIGTERM')).toBe(0);
    await victim.start();
  },
  'the database is restarted': async () => {
    await several.database.stop();
    await several.database.start();
  },
};

const parsed = (list: string): unknown[] => JSON.parse(list) as unknown[];
const sorted = (ids: readonly string[]) => ids.toSorted();

async function everywhere(): Promise<void> {
  await Promise.all(sent.splice(0));
  // A debtor's id begins with its subscription.
  expect(sorted(several.made('debtor').map((id) => id.split('/').at(-1)!))).toEqual(sorted(confirmed.debtor));
  expect(sorted(several.made('batch'))).toEqual(sorted(confirmed.batch));
  for (const { url } of several.consoles) {
    const { done } = apiAt(url);
    const batches = parsed((await done('getPostedBatches')).data).map((each) => (each as BatchRecord).batchId);
    expect(sorted(batches)).toEqual(sorted(confirmed.batch));
    expect(sorted((await done('getDebtors')).data.map(({ debtorId }) => debtorId))).toEqual(sorted(confirmed.debtor));
    // Its webhook has been received, so the page continues.
    const params = { resourceId: confirmed.debtor.at(-1)! };
    expect((await done('getMessage', { params })).data).toMatchObject({ state: 'accepted' });
  }
}

const kinds = Object.entries(accidents).slice(0, runs);

describe.each(kinds)('While %s', (_name, accident) => {
  for (let run = 0; run < runs / kinds.length; run += 1)
    it(`each write is confirmed, takes effect once and is visible at every server: ${run + 1}`, async () => {
      const writing = Promise.all([writeBatch(), writeDebtor(), writeBatch(), writeDebtor()].map(async (each) => each));
      await wait(random() * 150);
      const happening = accident();
      // More writes during the fault.
      await Promise.all([writing, happening, wait(100).then(writeBatch), wait(200).then(writeDebtor)]);
      await eventually(everywhere);
    }, 120_000);
});

it('At least one response was lost by the faults of several servers', () => {
  expect(lost).toBeGreaterThan(0);
});

it(
  'A rolling restart of several servers loses no request',
  async () => {
    const api = apiAt(several.proxy.url);
    let isOver = false;
    let made = 0;
    const clients = [0, 1, 2, 3].map(async () => {
      while (!isOver) {
        const body = ofItsOwn(await batchBody(api, material.subscriptionId, paymentForm(material.rules)));
        confirmed.batch.push((await api.done('createBatch', { body })).data.batchId);
        made += 1;
      }
    });
    const restarts = (async () => {
      for (let round = 0; round < Math.ceil(runs / 12); round += 1)
        for (const each of several.consoles) {
          const before = made;
          expect(await each.stop('SIGTERM')).toBe(0);
          await eventually(() => Promise.resolve(expect(made).toBeGreaterThan(before)));
          await each.start();
        }
    })().finally(() => (isOver = true));
    await Promise.all([restarts, ...clients]);
    await eventually(everywhere);
  },
  60_000 + runs * 10_000,
);

it.each([
  ['a bank file, whose key the service has forgotten when it wakes', true],
  ['an electronic batch', false],
])(
  'A server whose process is stopped between its claim and the request that takes effect does not pay what another server has paid: %s (threat 7.15)',
  async (_, isFile) => {
    const [stopped, other] = several.consoles;
    const lab = several.lab();
    const [format] = (await apiAt(other!.url).done('getFileFormats')).data;
    const { rules, subscriptionId } = material;
    const form = isFile ? paymentForm(rules, format?.specification.rules) : paymentForm(rules);
    const body = await batchBody(apiAt(other!.url), subscriptionId, form, isFile ? format?.fileFormatId : undefined);
    const before = several.made('batch').length;
    // After its claim, the service refuses its token, and it waits for another.
    await apiAt(stopped!.url).done('getFileFormats'); // gives it a token
    await lab.set({ on: 'call', of: 'createBatch', fault: { kind: 'expiredToken' }, times: 1 });
    const { ruleId } = await lab.set({ on: 'call', of: 'accessToken', fault: { kind: 'latency', ms: 8000 }, times: 1 });
    const key = randomUUID();
    const first = apiAt(stopped!.url).call('createBatch', { body, key });
    const happened = async () => (await lab.rules()).find((each) => each.ruleId === ruleId)?.happened;
    await eventually(async () => expect(await happened()).toBe(1));
    expect(JSON.stringify(await sql('select key from writes'))).toContain(key);
    process.kill(stopped!.pid(), 'SIGSTOP');
    try {
      const { data } = await apiAt(other!.url).done('createBatch', { body, key });
      // It is not set back: a service whose time goes back leaves the life of every key in doubt.
      await lab.ask('PATCH', '/clock', { move: 11 * 60_000 });
      process.kill(stopped!.pid(), 'SIGCONT');
      const reply = await first;
      expect(reply.ok && reply.answer.data).toEqual(data);
      expect(reply.headers.get('idempotent-replay')).toBe('true');
      expect((await apiAt(stopped!.url).done('createBatch', { body, key })).data).toEqual(data);
      expect(several.made('batch').slice(before)).toEqual([data.batchId]);
    } finally {
      process.kill(stopped!.pid(), 'SIGCONT');
    }
  },
  120_000,
);
