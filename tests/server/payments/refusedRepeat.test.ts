import { describe, expect, it } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { batch, consoleWith as consoleAt, lost, making } from '#tests/support/consoleWithPayments.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { answering, type Script } from '#tests/support/fakeUpstream.ts';

const { externalId: _none, ...reviewed } = batch;
const suspended = 'Subscription subscription-1 is suspended by the consumer; it must be Authorised and not suspended';

/** A company whose payment under `key-1` was lost; two minutes before the last midnight. */
async function withLost(first: Script = lost) {
  const all = await consoleAt(first, undefined, Date.parse(executionDate) - 2 * 60_000);
  const { server, service } = all;
  await server.refused('createBatch', { body: batch, key: 'key-1' });
  service.scripts[endpoints.batches] = making();
  const repeat = () => server.call('createBatch', { body: batch, key: 'key-1' });
  const review = async () => (await server.done('preparePayment', { body: reviewed })).data;
  const pay = (key: string, query: object = {}) =>
    server.call('createBatch', { body: { ...batch, externalId: key }, key, query });
  return { ...all, repeat, review, pay };
}
type World = Awaited<ReturnType<typeof withLost>>;

const answers =
  (script: Script) =>
  ({ service }: World) => {
    service.scripts[endpoints.batches] = script;
    return () => void (service.scripts[endpoints.batches] = making());
  };
const settings =
  (change: Record<string, string>, before: Record<string, string>) =>
  async ({ server }: World) => {
    await server.store.settings.writeAll(change);
    return () => server.store.settings.writeAll(before);
  };

interface Reason {
  /** Refuses repeats from now on. Returns what ends that. */
  begins: (world: World) => unknown;
  /** What the repeat itself became. */
  repeat?: 'refused' | 'not-sent';
  detail: RegExp;
}
const page: Script = (response) =>
  void response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Blocked by policy 7</h1>');
const documented = (status: number, code: string, detail: string) => answering({ code, detail, status }, status);

/** Refusals of the service, or of what stands before it, of a repeat. */
const refusals: Record<string, Reason> = {
  'by a suspended subscription': {
    begins: answers(documented(422, 'Unprocessable', suspended)),
    repeat: 'refused',
    detail: /is suspended by the consumer/,
  },
  'by a key that is known with another body': {
    begins: answers(documented(409, 'Conflict', 'the key was used before')),
    detail: /status 409: the key was used before/,
  },
  'by a page of a proxy': { begins: answers(page), detail: /status 403.*not a refusal in the form that is documented/ },
};

describe('A lost payment whose repeat is refused', () => {
  it.each(Object.entries(refusals))(
    '%s stays unknown in these words, and is settled by a repeat under its key once the cause is gone (behaviour 4.26, 4.64)',
    async (_, { begins, repeat, detail }) => {
      const world = await withLost();
      const ends = (await begins(world)) as () => unknown;
      const words = expect.stringMatching(detail) as string;
      const problem = { outcome: 'unknown', ...(repeat && { repeat }), detail: words };
      for (let turn = 0; turn < 3; turn += 1) expect(await world.repeat()).toMatchObject({ ok: false, problem });
      expect((await world.server.done('getFacts')).pendingPayments).toMatchObject([
        { key: 'key-1', isRepeatable: true },
      ]);
      const { key, first, covered } = await world.review();
      expect([key === 'key-1', first]).toEqual([false, undefined]);
      expect(covered).toMatchObject([{ index: 0, state: 'unknown', says: words }]);
      expect(await world.pay(key)).toMatchObject({ ok: false, problem: { code: 'paid-already', outcome: 'not-sent' } });
      world.service.scripts[endpoints.batches] = lost;
      await world.repeat();
      expect(await world.review(), 'after a later repeat was lost').toMatchObject({ key: 'key-1', first: batch });
      await ends();
      expect(await world.repeat()).toMatchObject({ ok: true });
      expect((await world.server.done('getFacts')).pendingPayments).toMatchObject([
        { key: 'key-1', settled: { batchId: 'batch-1' } },
      ]);
      expect(new Set(world.sent().map(({ headers }) => headers['x-idempotency-key'])).size).toBe(1);
    },
  );

  it('is paid anew once the user has confirmed it in a review with these words (behaviour 4.64)', async () => {
    const world = await withLost();
    world.service.scripts[endpoints.batches] = page;
    await world.repeat();
    const { key, shown } = await world.review();
    world.service.scripts[endpoints.batches] = making();
    expect(await world.pay(key, { again: 'true', shown })).toMatchObject({ ok: true });
  });
});

describe('A lost payment', () => {
  it.each<[string, Reason]>([
    [
      'a token that the service no longer gives',
      {
        begins: ({ service }) => {
          const before = service.scripts[endpoints.accessToken];
          service.scripts[endpoints.accessToken] = documented(404, 'NotFound', 'the organisation is unknown');
          service.scripts[endpoints.batches] = documented(401, 'Unauthorized', 'the token was revoked');
          return () => {
            if (before) service.scripts[endpoints.accessToken] = before;
            else delete service.scripts[endpoints.accessToken];
            service.scripts[endpoints.batches] = making();
          };
        },
        detail: /./,
      },
    ],
    [
      'other ids of the company in the settings',
      { begins: settings({ companyId: 'other' }, { companyId: 'c' }), repeat: 'not-sent', detail: /had other ids/ },
    ],
    ['a removed company', { begins: settings({ companyId: '' }, { companyId: 'c' }), repeat: 'not-sent', detail: /./ }],
    [
      'another signing key, which the service refuses',
      {
        begins: async (world) => {
          world.service.scripts[endpoints.accessToken] = documented(401, 'Unauthorized', 'the signature is wrong');
          const back = await settings({ companySigningKey: 'other' }, { companySigningKey: 'k' })(world);
          return async () => {
            delete world.service.scripts[endpoints.accessToken];
            await back();
          };
        },
        repeat: 'not-sent',
        detail: /./,
      },
    ],
  ])(
    'whose repeat fails by %s stays unknown, and is settled by a repeat under its key once that is mended (behaviour 4.26)',
    async (_, { begins, repeat, detail }) => {
      const world = await withLost();
      const ends = (await begins(world)) as () => unknown;
      expect(await world.repeat()).toMatchObject({
        ok: false,
        problem: {
          outcome: 'unknown',
          ...(repeat && { repeat }),
          detail: expect.stringMatching(detail) as string,
        },
      });
      await ends();
      expect(await world.repeat()).toMatchObject({ ok: true });
      expect(new Set(world.sent().map(({ headers }) => headers['x-idempotency-key'])).size).toBe(1);
    },
  );

  it.each([429, 503])(
    'whose repeat is answered with %i is repeated under its key by the next review: another answer may come',
    async (status) => {
      const world = await withLost();
      world.service.scripts[endpoints.batches] = documented(status, 'Later', 'come again');
      expect(await world.repeat()).toMatchObject({ ok: false, problem: { outcome: 'unknown' } });
      expect(await world.review()).toMatchObject({ key: 'key-1', covered: [] });
    },
  );
});

describe('A payment', () => {
  it('whose first answer is a refusal that is not believed is paid anew once the user has confirmed it with these words (behaviour 4.64)', async () => {
    const { review, pay, repeat } = await withLost(page);
    const { key, covered, shown } = await review();
    expect(covered).toMatchObject([{ state: 'unknown', says: expect.stringContaining('403') as string }]);
    expect(await pay(key)).toMatchObject({ ok: false, problem: { code: 'paid-already' } });
    expect(await repeat(), 'by the button of the payment whose outcome is unknown').toMatchObject({ ok: true });
    expect(await pay(key, { again: 'true', shown })).toMatchObject({ ok: true });
  });
});
