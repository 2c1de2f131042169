import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type Database from 'libsql';
import { v5 as uuidFrom } from 'uuid';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { BatchRequest } from '#contract/payment.ts';
import { systemClock } from '#server/clock.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { eventually } from '#tests/support/eventually.ts';
import type { Reply } from '#tests/support/api.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, unsignedJwt, type Script } from '#tests/support/fakeUpstream.ts';
import { paid } from '#tests/support/fixtures.ts';

/** All open connections, so that a test can limit the size of the console's file. */
const opened = vi.hoisted(() => [] as { path: string; db: Database.Database }[]);
vi.mock('libsql', async (original) => {
  const { default: Driver } = await original<{ default: typeof Database }>();
  return {
    default: class extends Driver {
      constructor(path: string) {
        super(path);
        opened.push({ path, db: this });
      }
    },
  };
});
beforeEach(() => void opened.splice(0));

const minute = 60_000;
/** Number of requests that the console has open at the service at most. */
const mostOpen = 16;
const lost: Script = (response) => void response.destroy();
/** Answers each request with an id of its own. */
const answeringAnew = (data: (id: string) => object): Script => {
  let made = 0;
  return (...exchange) => answering({ data: { ...data(`${(made += 1)}`), status: 'Received' } }, 201)(...exchange);
};
const batch = answeringAnew((id) => ({ batchId: `batch-${id}` }));

/** Still possible after the two weeks for which the service keeps a key. */
const requestedExecutionDateTime = `${new Date(Date.now() + 30 * 24 * 60 * minute).toISOString().slice(0, 10)}T00:00:00Z`;

const payment = (reference: string): BatchRequest => ({
  externalId: reference,
  ...paid,
  requestedExecutionDateTime,
  payments: [{ ...paid.payments[0]!, remittanceInformation: { reference } }],
});
type Server = Awaited<ReturnType<typeof testConsole>>;
interface Write {
  /** The path at the service of the request that carries the write. */
  path: string;
  /** Makes the write; `what` is its content. */
  send: (
    server: Server,
    what: string,
    key: string,
  ) => Promise<Reply<'createBatch' | 'createSubscription' | 'putCreditor'>>;
  answer: Script;
}
const writes: Record<string, Write> = {
  payment: {
    path: endpoints.batches,
    send: ({ call }, what, key) => call('createBatch', { body: payment(what), key }),
    answer: batch,
  },
  'bank file': {
    path: endpoints.batches,
    send: ({ call }, what, key) => call('createBatch', { body: { ...payment(what), fileFormatId: 'f' }, key }),
    answer: batch,
  },
  subscription: {
    path: pathOf('createSubscription', 'o'),
    send: ({ call }, what, key) =>
      call('createSubscription', { body: { data: { providerId: what, additionalData: '{}' } }, key }),
    answer: answeringAnew((id) => ({ subscriptionId: `subscription-${id}` })),
  },
  message: {
    path: endpoints.messaging,
    send: ({ call }, what, key) =>
      call('putCreditor', {
        body: { data: { creditorId: uuidFrom(what, uuidFrom.URL), subscriptionId: 's', creditor: { name: what } } },
        key,
      }),
    answer: (response) => void response.writeHead(202).end(),
  },
};
const each = Object.entries(writes);

/** A console on a clock that the test moves; the service loses what carries a write, and gives tokens for a second. */
async function losing({ path }: Write) {
  const time = { now: Date.now() };
  const tokens: { script: Script } = {
    script: (...exchange) =>
      answering({ jwt: unsignedJwt(0, { exp: Math.floor(time.now / 1000) + 1 }) }, 201)(...exchange),
  };
  const service = await fakeUpstream({
    [endpoints.accessToken]: (...exchange) => tokens.script(...exchange),
    [path]: lost,
  });
  const clock = { ...systemClock, now: () => time.now, steady: () => time.now };
  const server = await testConsole({ upstreamUrl: service.url, clock, limits: { backOff: 1 } });
  await server.store.settings.writeAll({
    organisationId: 'o',
    companyId: 'c',
    companySigningKey: 'k',
    subscriptionId: 's',
  });
  return { service, server, tokens, time, sent: () => service.askedFor(path).length };
}

const problemOf = (reply: Awaited<ReturnType<Write['send']>>) => (reply.ok ? undefined : reply.problem);

describe('A repeat after a lost response', () => {
  it.each(each)(
    'stays unknown and keeps its key if another write’s cached token failure hits it: %s (threat 3.20)',
    async (_, write) => {
      const { service, server, tokens, time, sent } = await losing(write);
      expect(problemOf(await write.send(server, 'a', 'key'))).toMatchObject({ outcome: 'unknown' });
      time.now += minute;
      const working = tokens.script;
      tokens.script = answering({ jwt: 'unusable' }, 201);
      const [before, repeat, after] = [
        await write.send(server, 'b', 'other'),
        await write.send(server, 'a', 'key'),
        await write.send(server, 'c', 'third'),
      ];
      expect(service.askedFor(endpoints.accessToken), 'one failure for three writes').toHaveLength(2);
      expect(problemOf(before)).toMatchObject({ code: 'upstream-invalid', outcome: 'not-sent' });
      expect(problemOf(repeat)).toMatchObject({ code: 'upstream-invalid', outcome: 'unknown' });
      expect(problemOf(after)).toMatchObject({ code: 'upstream-invalid', outcome: 'not-sent' });
      // Only a message that may have been sent can be sent again by its id.
      for (const reply of [before, after]) expect(problemOf(reply)).not.toHaveProperty('messageId');
      expect(problemOf(await write.send(server, 'd', 'key'))).toMatchObject({ code: 'idempotency-conflict' });

      time.now += minute;
      tokens.script = working;
      service.scripts[write.path] = write.answer;
      expect(await write.send(server, 'a', 'key')).toMatchObject({ ok: true });
      const keys = service.askedFor(write.path).map(({ headers }) => headers['x-idempotency-key']);
      expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
      expect(await write.send(server, 'e', 'other'), 'the key of what was not sent is free').toMatchObject({
        ok: true,
      });
      expect(sent()).toBe(3);
    },
  );

  it.each(each)(
    'stays unknown and keeps its key if a refused write’s cached token failure hits it: %s (threat 3.20)',
    async (_, write) => {
      const { service, server, tokens, time, sent } = await losing(write);
      await write.send(server, 'a', 'key');
      time.now += minute;
      service.scripts[write.path] = (...exchange) => {
        tokens.script = answering({ jwt: 'unusable' }, 201);
        return answering({ title: 'No', code: 'No' }, 401)(...exchange);
      };
      expect(problemOf(await write.send(server, 'b', 'other'))).toMatchObject({ outcome: 'refused' });
      expect(problemOf(await write.send(server, 'a', 'key'))).toMatchObject({ outcome: 'unknown' });
      expect(problemOf(await write.send(server, 'd', 'key'))).toMatchObject({ code: 'idempotency-conflict' });
      expect(sent()).toBe(2);
    },
  );

  it.each(each)(
    'stays unknown and keeps its key if it shares another write’s failing token request: %s (threat 3.20)',
    async (_, write) => {
      for (const repeatIsFirst of [true, false]) {
        const { server, tokens, time, sent, service } = await losing(write);
        await write.send(server, 'a', 'key');
        time.now += minute;
        const asked = service.askedFor(endpoints.accessToken).length;
        let fail = (): void => undefined;
        const both = new Promise<void>((resume) => (fail = resume));
        tokens.script = async (...exchange) => {
          await both;
          await answering({ title: 'Oops' }, 500)(...exchange);
        };
        const order = repeatIsFirst ? (['a', 'b'] as const) : (['b', 'a'] as const);
        const replies = order.map(async (what) => {
          if (what !== order[0])
            await eventually(() => expect(service.askedFor(endpoints.accessToken)).toHaveLength(asked + 1));
          return [what, problemOf(await write.send(server, what, what === 'a' ? 'key' : 'other'))?.outcome];
        });
        await eventually(() => expect(service.askedFor(endpoints.accessToken)).toHaveLength(asked + 1));
        await wait(100);
        fail();
        expect(Object.fromEntries(await Promise.all(replies))).toEqual({ a: 'unknown', b: 'not-sent' });
        expect(service.askedFor(endpoints.accessToken), 'one load for both').toHaveLength(asked + 1);
        expect(problemOf(await write.send(server, 'd', 'key'))).toMatchObject({ code: 'idempotency-conflict' });
        expect(sent()).toBe(1);
      }
    },
  );

  it.each(each)(
    'stays unknown and is not sent after the service’s key retention has passed: %s (threat 3.20)',
    async (name, write) => {
      const { service, server, tokens, time, sent } = await losing(write);
      await write.send(server, 'a', 'key');
      time.now += minute;
      const working = tokens.script;
      service.scripts[write.path] = (...exchange) => {
        tokens.script = answering({ jwt: 'unusable' }, 201);
        return answering({ title: 'No', code: 'No' }, 401)(...exchange);
      };
      await write.send(server, 'b', 'other');
      await write.send(server, 'a', 'key');
      const before = sent();
      tokens.script = working;
      service.scripts[write.path] = write.answer;
      time.now += 14 * 24 * 60 * minute;
      expect(problemOf(await write.send(server, 'a', 'key'))).toMatchObject({
        code: 'outcome-unknown',
        outcome: 'unknown',
      });
      expect(sent()).toBe(before);
      if (write.path !== endpoints.batches) return;
      expect(problemOf(await write.send(server, 'a', 'a-new-key')), name).toMatchObject({ code: 'paid-already' });
      expect(sent()).toBe(before);
    },
  );

  it.each(each)('stays unknown for all concurrent repeats if the service refuses it: %s', async (_, write) => {
    const { service, server, time } = await losing(write);
    await write.send(server, 'a', 'key');
    time.now += minute;
    service.scripts[write.path] = async (...exchange) => {
      await wait(50);
      await answering({ title: 'Bad', code: 'No' }, 400)(...exchange);
    };
    const replies = await Promise.all([1, 2, 3].map(() => write.send(server, 'a', 'key')));
    for (const reply of replies) expect(problemOf(reply)).toMatchObject({ status: 400, outcome: 'unknown' });
    expect(problemOf(await write.send(server, 'd', 'key'))).toMatchObject({ code: 'idempotency-conflict' });
  });
});

describe('A write whose token request fails', () => {
  it.each(each)('has the outcome not-sent: %s', async (_, write) => {
    for (const script of [lost, answering({ title: 'Oops' }, 500), answering({ title: 'No', code: 'No' }, 400)]) {
      const { server, tokens, sent } = await losing(write);
      tokens.script = script;
      expect(problemOf(await write.send(server, 'a', 'key'))).toMatchObject({ outcome: 'not-sent' });
      expect(sent()).toBe(0);
    }
  });

  it('has the outcome not-sent for all concurrent requests with its key', async () => {
    const { server, tokens } = await losing(writes['payment']!);
    tokens.script = answering({ title: 'Oops' }, 500);
    const replies = await Promise.all([1, 2, 3].map(() => writes['payment']!.send(server, 'a', 'key')));
    for (const reply of replies) expect(problemOf(reply)).toMatchObject({ outcome: 'not-sent' });
  });
});

describe.runIf(process.env['STORE'] !== 'postgres')('On a full disk', () => {
  it.each(each)(
    'a write is reported as unknown if the service received it, otherwise as not sent: %s (threat 3.20)',
    { timeout: 60_000 },
    async (name, write) => {
      const { service, server } = await losing(write);
      const { db } = opened.find(({ path }) => path.includes('console.sqlite'))!;
      const received = new Set<string>();
      let answer = (): void => undefined;
      const all = new Promise<void>((resume) => (answer = resume));
      service.scripts[write.path] = async (response, asked) => {
        const [what = ''] = /[ab]\d-x/.exec(asked.body) ?? [];
        received.add(what);
        await all;
        await write.answer(response, asked);
      };
      // Text that cannot be compressed.
      const filler = randomBytes(15_000).toString('base64');
      const names = (letter: string) => Array.from({ length: 10 }, (_each, at) => `${letter}${at}-x${filler}`);
      const first = names('a').map((what) => write.send(server, what, what.slice(0, 4)));
      await eventually(() => expect(received.size).toBe(10));
      // There is room for the claims of the later writes, but not for what is stored before they are sent; before a
      // subscription, nothing is.
      const { page_count: pages } = db.prepare('pragma page_count').get() as { page_count: number };
      db.exec(`pragma max_page_count = ${pages + (name === 'subscription' ? 0 : 12)}`);
      let failed = 0;
      const later = names('b').map(async (what) => {
        // A long key, so that not all claims fit into the pages that there are.
        const reply = await write.send(server, what, what.slice(0, 4).padEnd(200, '-'));
        if (problemOf(reply)) failed += 1;
        return reply;
      });
      // The responses to the first writes remove stored data, which makes room.
      // Further requests wait for one of those that the console has open.
      await eventually(() => expect([20, mostOpen + failed]).toContain(received.size + failed));
      answer();
      const replies = await Promise.all([...first, ...later]);
      const problems = replies.map(problemOf);
      expect(problems.filter((problem) => problem?.code === 'store-failed').length).toBeGreaterThan(0);
      for (const [index, what] of [...names('a'), ...names('b')].entries())
        if (problems[index])
          expect([what.slice(0, 4), problems[index].outcome]).toEqual([
            what.slice(0, 4),
            received.has(what.slice(0, 4)) ? 'unknown' : 'not-sent',
          ]);
    },
  );
});
