import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { testConsole } from '#tests/support/console.ts';
import { eventually } from '#tests/support/eventually.ts';
import { answering, fakeUpstream, refusal, unsignedJwt, type Script } from '#tests/support/fakeUpstream.ts';

type Console = Awaited<ReturnType<typeof testConsole>>;

const owner = { user: { email: 'user@example.com', locale: 'en-GB', identityId: 'user-1' } };
const attributes = () => ({ externalId: randomUUID(), externalSource: 'console' });
const settingsOf = ({ done }: Console) => done('getSettings');
const subscriptionIds = async (server: Console) =>
  (JSON.parse((await settingsOf(server)).subscriptions) as SubscriptionRecord[]).map((each) => each.subscriptionId); // the server's

const asked = (beside: string | undefined, despite: string | undefined) =>
  beside === undefined ? {} : { beside, ...(despite !== undefined && { despite }) };

/** The writes before which a user is asked: how one is sent beside what its caller knows, and what there is afterwards. */
const creating = [
  {
    name: 'organisation',
    create: (server: Console, beside?: string, despite?: string) =>
      server.call('createOrganisation', {
        query: asked(beside, despite),
        body: { ...organisationBody, sageCRMId: randomUUID().slice(0, 8) },
      }),
    there: async (server: Console) => (await settingsOf(server)).organisationId,
  },
  {
    name: 'company',
    create: (server: Console, beside?: string, despite?: string) =>
      server.call('createCompany', { query: asked(beside, despite), body: companyBody(randomUUID().slice(0, 8)) }),
    there: async (server: Console) => (await settingsOf(server)).companyId,
  },
  {
    name: 'account',
    create: (server: Console, beside?: string, despite?: string) =>
      server.call('createAccount', {
        query: asked(beside, despite),
        body: { data: { type: 'Account', attributes: attributes(), owner } },
      }),
    there: async (server: Console) => (await settingsOf(server)).accountId,
  },
  {
    name: 'data set',
    create: (server: Console, beside?: string, despite?: string) =>
      server.call('createDataset', {
        query: asked(beside, despite),
        body: { data: { type: 'DataSet', attributes: { name: 'Ledger', country: 'GB', ...attributes() } } },
      }),
    there: async (server: Console) => (await settingsOf(server)).dataSetId,
  },
  {
    name: 'subscription',
    create: (server: Console, beside?: string, despite?: string) =>
      server.call('createSubscription', {
        query: asked(beside, despite),
        body: { data: { providerId: 'p', additionalData: JSON.stringify({ reference: randomUUID() }) } },
      }),
    there: async (server: Console) => (await subscriptionIds(server)).at(-1) ?? '',
  },
] as const;

/** A console with one of each, at a service whose answers `turn` may hold or refuse. */
async function servedBy(turn: Script = () => undefined) {
  let made = 0;
  const making =
    (named: (id: string) => object): Script =>
    async (...exchange) => {
      made += 1;
      const id = `made-${made}`;
      await turn(...exchange);
      if (!exchange[0].headersSent) await answering(named(id), 201)(...exchange);
    };
  const service = await fakeUpstream({
    [endpoints.createOrganisation]: making((organisationId) => ({ organisationId, primarySigningKey: 'k' })),
    [endpoints.createCompany]: making((companyId) => ({ companyId })),
    [endpoints.accounts]: making((id) => ({ data: { id } })),
    [endpoints.datasets]: making((id) => ({ data: { id } })),
    [endpoints.subscriptions]: making((subscriptionId) => ({ data: { subscriptionId, status: 'Received' } })),
  });
  const server = await testConsole({ upstreamUrl: service.url });
  await server.store.settings.writeAll({
    organisationId: 'o',
    companyId: 'c',
    companySigningKey: 'k',
    userJwt: unsignedJwt(),
    useMock: 'true',
    accountId: 'a',
    dataSetId: 'd',
  });
  return { server, count: () => made };
}

const codesOf = (replies: Awaited<ReturnType<(typeof creating)[number]['create']>>[]) =>
  replies.map((reply) => (reply.ok ? 'done' : reply.problem.code)).sort();

describe.each(creating)('A first $name and one more that knows of nothing', ({ create, there }) => {
  it('at the same instant are one, and the second is told so before anything is sent (behaviour 6.5)', async () => {
    const { server, count } = await servedBy();
    const beside = await there(server);
    const replies = await Promise.all([1, 2, 3].map(() => create(server, beside)));
    expect(codesOf(replies)).toEqual(['done', 'exists-already', 'exists-already']);
    expect(count()).toBe(1);
    for (const reply of replies)
      expect(reply).toMatchObject(reply.ok ? {} : { status: 409, problem: { outcome: 'not-sent' } });
  });

  it('while the first awaits its response is refused, and accepted once it is known (behaviour 6.5)', async () => {
    let answerNow = (): void => undefined;
    const held = new Promise<void>((resolve) => (answerNow = resolve));
    const { server, count } = await servedBy(() => held);
    const beside = await there(server);
    const first = create(server, beside);
    await eventually(() => expect(count()).toBe(1));
    const detail = expect.stringMatching(/is being created at this moment/) as string;
    expect(await create(server, beside)).toMatchObject({ problem: { code: 'exists-already', detail } });
    answerNow();
    expect(await first).toMatchObject({ ok: true });
    const latest = await there(server);
    const named = expect.stringContaining(`${latest} was created meanwhile`) as string;
    expect(await create(server, beside)).toMatchObject({ problem: { code: 'exists-already', detail: named } });
    expect(await create(server, latest)).toMatchObject({ ok: true });
    expect(count()).toBe(2);
  });

  it.each([
    ['a refusal that is not in the documented form', 422, { detail: 'Quota of branch 7' }, 'Quota of branch 7'],
    ['a failure of the service', 503, { detail: 'Try later' }, 'Try later'],
    ['a made one in its refusal', 422, { code: 'No', detail: 'Not now', data: [{ id: 'made' }] }, 'Not now'],
  ])(
    'is asked about after %s, with the words of the service, and created once he has read them (behaviour 6.5)',
    async (_, status, body, words) => {
      let isUnclear = true;
      const { server, count } = await servedBy((...exchange) => {
        if (isUnclear) return answering(body, status)(...exchange);
      });
      const beside = await there(server);
      expect(await create(server, beside)).toMatchObject({ problem: { outcome: 'unknown' } });
      isUnclear = false;
      const asked = await create(server, beside);
      if (asked.ok) throw new Error('created unasked');
      const { code, outcome, detail, despite } = asked.problem;
      expect([code, outcome, detail]).toEqual(['exists-already', 'not-sent', expect.stringContaining(words)]);
      expect(await create(server, beside, 'another')).toMatchObject({ problem: { code: 'exists-already', despite } });
      expect(count()).toBe(1);
      expect(await create(server, beside, despite)).toMatchObject({ ok: true });
      // What was confirmed is not asked about again.
      expect(await create(server, await there(server))).toMatchObject({ ok: true });
    },
  );

  it('is accepted after the first was refused by the service, and from a caller who does not say what he knows', async () => {
    let isRefused = true;
    const { server, count } = await servedBy((...exchange) => {
      if (isRefused) return answering(refusal(422), 422)(...exchange);
    });
    const beside = await there(server);
    expect(await create(server, beside)).toMatchObject({ ok: false });
    isRefused = false;
    expect(await create(server, beside)).toMatchObject({ ok: true });
    expect(await create(server)).toMatchObject({ ok: true });
    expect(count()).toBe(3);
  });
});

it('A write that a server left behind as it ended is asked about, and holds up no other call (behaviour 6.5)', async () => {
  const { server } = await servedBy();
  const { store } = server;
  const at = { workspace: store.workspace, companyKey: store.companyKey };
  const claim = {
    key: 'k',
    call: 'createAccount',
    fingerprint: 'f',
    serviceKey: 's',
    serviceTime: undefined,
    body: {},
  };
  expect(await store.writes.claim({ ...at, ...claim })).toMatchObject({ state: 'claimed' });
  const account = creating.find(({ name }) => name === 'account')!;
  const beside = await account.there(server);
  const detail = expect.stringContaining('The console stopped before the response arrived.') as string;
  expect(await account.create(server, beside)).toMatchObject({ problem: { code: 'exists-already', detail } });
  expect(await account.create(server, beside, 's')).toMatchObject({ ok: true });
  const other = creating.find(({ name }) => name === 'data set')!;
  expect(await other.create(server, await other.there(server))).toMatchObject({ ok: true });
});
