import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Description } from '#contract/description.ts';
import type { Json } from '#contract/json.ts';
import { header } from '#server/upstream/wire.ts';
import { localDay } from '#rules/date.ts';
import { operationsIn } from '#rules/description.ts';
import { notSent, operationIn, placesIn, valuesOf } from '#rules/sentExample.ts';
import { serviceOpenApi } from '#server/description/openapi.ts';
import { labNews } from '#contract/constants.ts';
import type { FaultRule } from '#contract/controlShapes.ts';
import { paymentForm, type Values } from '#rules/field.ts';
import { eventsPath } from '#server/api/events.ts';
import { eventually } from '#tests/support/eventually.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { consoleWithSandbox, testConsole, testSandbox } from '#tests/support/console.ts';
import { eventsIn } from '#tests/support/eventStream.ts';
import { batchBody, batchIn, onboard, pay, subscribe, walk } from '#tests/support/guidedPath.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { sharedSandbox } from '#tests/support/consoleWithUsers.ts';

const lost: FaultRule = {
  on: 'call',
  of: 'createBatch',
  fault: { kind: 'answerLost' },
  times: 1,
  probability: 1,
  seed: 1,
};
const held: FaultRule = { ...lost, on: 'batch', of: 'any', fault: { kind: 'hold' } };
const hour = 60 * 60_000;

describe('The console’s fault lab API', () => {
  it('changes rules, clock and receiver of the sandbox, and takes each back, alone or together', async () => {
    const { done, refused } = await consoleWithSandbox();
    const untouched = { rules: [], clock: { offset: 0, still: false }, receiver: { url: null } };
    const { ruleId } = (await done('setFault', { body: lost })).data;
    const { data: other } = await done('setFault', {
      body: { ...lost, on: 'webhook', of: 'any', fault: { kind: 'lose' } },
    });
    const url = 'http://127.0.0.1:9/hooks';
    await done('setReceiver', { body: { url } });
    expect((await done('changeClock', { body: { move: hour, still: true } })).data).toMatchObject({ still: true });
    expect((await done('getLab')).data).toMatchObject({
      rules: [{ ...lost, ruleId, asked: 0, happened: 0 }, other],
      clock: { offset: expect.closeTo(hour, -4) as number, still: true },
      receiver: { url },
    });
    expect(await done('removeFault', { params: { ruleId } })).toEqual({ data: null });
    expect((await done('getLab')).data.rules).toEqual([other]);
    expect(await refused('removeFault', { params: { ruleId } })).toMatchObject({ code: 'not-found', status: 404 });
    await done('stopFaults');
    expect((await done('resetClock')).data).toMatchObject(untouched.clock);
    await done('removeReceiver');
    expect((await done('getLab')).data).toMatchObject(untouched);

    await done('setFault', { body: lost });
    await done('changeClock', { body: { move: -hour } });
    await done('stopLab');
    expect((await done('getLab')).data).toMatchObject(untouched);
  });

  it('refuses a wrong address and a wrong time with the place, and changes nothing', async () => {
    const { done, refused } = await consoleWithSandbox();
    const { data: before } = await done('getLab');
    expect(await refused('setReceiver', { body: { url: 'ftp://example.com' } })).toMatchObject({
      errors: [{ path: 'url' }],
    });
    expect(await refused('changeClock', { body: { move: 1e15 } })).toMatchObject({ errors: [{ path: 'move' }] });
    const { rules, receiver } = (await done('getLab')).data;
    expect([rules, receiver]).toEqual([before.rules, before.receiver]);
  });

  it.each(['answerLost', 'reset', 'truncated'] as const)(
    'marks a service request with an injected %s fault in the timeline (behaviour 10.20.4)',
    async (kind) => {
      const { done, call } = await consoleWithSandbox();
      const { ruleId } = (await done('setFault', { body: { ...lost, of: 'createOrganisation', fault: { kind } } }))
        .data;
      expect((await call('createOrganisation', { body: organisationBody })).ok).toBe(false);
      await done('createOrganisation', { body: organisationBody });
      const { data } = await done('getTimeline', { query: { kind: 'service', limit: '100' } });
      const of = data.filter(({ method, url }) => method === 'POST' && url.includes('/organisations')).reverse();
      expect(of.map(({ status, fault }) => [status, fault])).toEqual([
        [0, `${kind}; rule=${ruleId}`],
        [201, undefined],
      ]);
    },
  );

  it('lists the company’s batches with their next status, and advances a held batch on request', async () => {
    const server = await consoleWithSandbox();
    const { done, refused } = server;
    const { subscriptionId, rules } = await walk(server);
    await done('setFault', { body: held });
    const { batchId } = (await done('createBatch', { body: await batchBody(server, subscriptionId, paymentForm(rules)) })).data; // prettier-ignore
    const listed = async () => (await done('getLabBatches')).data;
    expect((await listed())[0]).toMatchObject({ batchId, status: 'Received', next: 'Processing', fault: 'hold' });
    expect((await done('stepBatch', { params: { batchId } })).data).toEqual({ batchId, status: 'Processing' });
    await done('stepBatch', { params: { batchId } });
    expect((await listed())[0]).toMatchObject({ batchId, status: 'Completed', next: null });
    expect(await refused('stepBatch', { params: { batchId } })).toMatchObject({ code: 'upstream-conflict' });
    expect(await refused('stepBatch', { params: { batchId: 'none' } })).toMatchObject({ code: 'not-found' });
  });

  it('lists a batch whose response was lost, which the console has no record of', async () => {
    const server = await consoleWithSandbox();
    const { rules, subscriptionId } = await walk(server);
    const before = (await server.done('getLabBatches')).data.length;
    await server.done('setFault', { body: lost });
    const body = await batchBody(server, subscriptionId, paymentForm(rules));
    await server.refused('createBatch', { body, query: { again: 'true' } });
    expect((await server.done('getLabBatches')).data).toHaveLength(before + 1);
  });

  it('lists webhooks, explains and verifies their signatures, and redelivers them', async () => {
    const server = await consoleWithSandbox();
    const { done, refused } = server;
    await onboard(server);
    await subscribe(server);
    const [webhook] = await eventually(async () => {
      const { data } = await done('getLabWebhooks');
      if (!data.every(({ delivered }) => delivered)) throw new Error('not all are delivered yet');
      return data;
    });
    const { webhookId, body } = webhook!; // a subscription was authorised
    const { data: explained } = await done('explainSignature', { params: { webhookId } });
    expect(explained.baseString).toBe(`${webhookId}.${explained.timestamp}.${body}`);
    const { id, timestamp, signature } = explained;
    const received = { id, timestamp, signature, body };
    expect((await done('checkWebhook', { body: received })).data.problems).toEqual([]);
    expect((await done('checkWebhook', { body: { ...received, body: `${body} ` } })).data.problems).toHaveLength(1);
    const address = `${server.url}/notifications`;
    expect((await done('sendWebhookAgain', { params: { webhookId } })).data).toEqual({ to: [address] });
    await eventually(async () => {
      const again = (await done('getLabWebhooks')).data.find((each) => each.webhookId === webhookId);
      expect(again?.attempts).toBe(2);
      expect(again?.log).toMatchObject(
        Array(2).fill({ receiver: 'consumer', url: address, outcome: 'accepted with 204' }),
      );
    });
    expect((await done('sendWebhooksAgain', { body: { since: '2026-01-01T00:00:00Z' } })).data).toMatchObject({
      count: 0,
    });
    expect(await refused('sendWebhookAgain', { params: { webhookId: '../faults' } })).toMatchObject({ status: 404 });
  });

  it('records no reads in the timeline and never returns the sandbox’s reset token (threat 2.27)', async () => {
    const { done } = await consoleWithSandbox();
    await done('getLab');
    await done('getLabWebhooks');
    await done('setFault', { body: lost });
    const { data } = await done('getTimeline');
    expect(data.map(({ name }) => name)).toEqual(['setFault']);
    expect(JSON.stringify([data, await done('getLab')])).not.toContain(sandboxCredentials.resetToken);
  });
});

describe('The console’s fault lab API', () => {
  it('sends an event to open pages after each change', async () => {
    const { url, done } = await consoleWithSandbox();
    const { next, leave } = eventsIn(await fetch(url + eventsPath));
    const heard = async () => {
      for (;;) {
        const event = await next();
        if (event?.event === 'news') return JSON.parse(event.data) as unknown;
      }
    };
    const told = { id: labNews };
    for (const change of [
      () => done('setFault', { body: lost }),
      () => done('stopFaults'),
      () => done('changeClock', { body: { move: 1 } }),
      () => done('setReceiver', { body: { url: 'http://127.0.0.1:9/' } }),
    ]) {
      await change();
      expect(await heard()).toEqual(told);
    }
    await leave();
  });

  it('gives each user a separate sandbox: no user sees or is affected by another’s changes (threat 2.20)', async () => {
    const { signedIn } = await sharedSandbox();
    const [ada, ben] = [await signedIn('ada'), await signedIn('ben')];
    await onboard(ada);
    const { rules, subscriptionId } = await subscribe(ada);
    const batchId = await pay(ada, subscriptionId, paymentForm(rules));
    await batchIn(ada, 'Completed', batchId);
    const webhooks = async () => (await ada.done('getLabWebhooks')).data;
    await eventually(async () => expect((await webhooks()).every(({ delivered }) => delivered)).toBe(true));
    const before = await webhooks();
    expect([(await ben.done('getLabBatches')).data, (await ben.done('getLabWebhooks')).data]).toEqual([[], []]);
    const { ruleId } = (await ada.done('setFault', { body: { ...held, times: 'always' } })).data;
    const params = { webhookId: before[0]!.webhookId, batchId, ruleId }; // of the batch
    for (const name of ['stepBatch', 'sendWebhookAgain', 'explainSignature', 'removeFault'] as const)
      expect((await ben.refused(name, { params })).code, name).toBe('not-found');
    expect((await ben.done('sendWebhooksAgain', { body: { since: '2026-01-01T00:00:00Z' } })).data.count).toBe(0);

    const standing = async () => (await ada.done('getLab')).data;
    await ben.done('setFault', { body: { ...lost, of: 'any', times: 'always' } });
    await ben.done('changeClock', { body: { move: 24 * hour, still: true } });
    await ben.done('setReceiver', { body: { url: 'https://hooks.example.com/' } });
    expect((await ben.done('getLab')).data).toMatchObject({ rules: [{ times: 'always' }], clock: { still: true } });
    const untouched = { rules: [{ ruleId }], clock: { offset: 0, still: false }, receiver: { url: null } };
    expect(await standing()).toMatchObject(untouched);
    await ben.done('emptySandbox');
    expect((await ben.done('getLab')).data).toMatchObject({
      rules: [],
      clock: { still: false },
      receiver: { url: null },
    });
    expect(await standing()).toMatchObject(untouched);
    expect(await webhooks()).toEqual(before);
    expect((await ada.done('getSubscription', { params: { subscriptionId } })).data.data.status).toBe('Authorised');
  });
});

describe('An example of an operation', () => {
  it('is accepted by the sandbox with the company’s credentials and ids as it stands, and recorded, of each that no link authorises (behaviour 10.26.3)', async () => {
    const server = await consoleWithSandbox();
    const { done } = server;
    await walk(server);
    const description = JSON.parse(JSON.stringify(serviceOpenApi())) as Description;
    const facts = await done('getFacts');
    const described = operationsIn(description).filter(({ isWebhook }) => !isWebhook);
    const refused: string[] = [];
    for (const operation of described) {
      const params = { operation: operationIn(operation)! };
      const { values, body } = valuesOf(operation, facts, localDay(new Date()));
      const all: Values = { ...values, ...(operation.id === 'translation' && { key: 'none' }) };
      if (notSent({ operation, values: all, body, facts }) !== '') {
        refused.push(operation.id);
        continue;
      }
      const { data } = await done('sendExample', {
        params,
        body: {
          method: operation.method as 'GET',
          ids: placesIn(operation, ['path']).map(({ place }) => all[place] ?? ''),
          query: {},
          ...(operation.body && { body: JSON.parse(body) as Json }),
          key: randomUUID(),
        },
      });
      expect.soft([operation.id, data.status < 300]).toEqual([operation.id, operation.id !== 'translation']);
      const query = { interaction: data.interactionId, kind: 'service' };
      expect.soft((await done('getTimeline', { query })).data.map(({ status }) => status)).toContain(data.status);
    }
    expect(refused).toEqual(['paymentFile']);
  });

  it('takes effect once under its key, and shows no key that was issued (behaviour 10.26.3)', async () => {
    const { done } = await consoleWithSandbox();
    const send = () =>
      done('sendExample', {
        params: { operation: 'createOrganisation' },
        body: { method: 'POST', ids: [], query: {}, body: { ...organisationBody, externalId: 'once' }, key: 'one-key' },
      });
    const [first, again] = [(await send()).data, (await send()).data];
    expect([first.status, again.status]).toEqual([201, 201]);
    const entryOf = async ({ interactionId }: typeof first) =>
      (await done('getTimeline', { query: { interaction: interactionId, kind: 'service' } })).data[0]!;
    expect((await entryOf(again)).response.headers[header.replayed]).toBe('true');
    expect((await entryOf(first)).response.body).toContain('"primarySigningKey":"$TOKEN"');
    expect((await done('getFacts')).settings.organisationId).toBe('');
  });

  it.each([
    ['createBatch', 'GET', [], []],
    ['paymentFile', 'GET', ['batch'], []],
    ['batch', 'GET', [], ['ids']],
    ['batch', 'GET', ['one', 'two'], ['ids']],
    ['banks', 'GET', ['one'], ['ids']],
    ['accessToken', 'POST', ['one'], ['ids']],
    ['batch', 'GET', [''], ['ids.0']],
    ['batch', 'GET', [' '], ['ids.0']],
  ] as const)('of %s by %s with the ids %j is refused, because of %j', async (operation, method, ids, paths) => {
    const { refused } = await consoleWithSandbox();
    const body = { method, ids: [...ids], query: {}, key: 'k' };
    const { code, status, errors = [] } = await refused('sendExample', { params: { operation }, body });
    expect([code, status, errors.map(({ path }) => path)]).toEqual(['invalid-request', 400, paths]);
  });
});

describe('The console’s fault lab API without the sandbox', () => {
  it('answers 404 with the reason if the console uses another service (behaviour 10.20.3)', async () => {
    const { refused, config } = await testConsole({ upstreamUrl: (await testSandbox()).url });
    delete (config.upstream as { lab?: object }).lab; // as in a configuration of another service
    for (const name of ['getLab', 'stopFaults', 'getLabWebhooks', 'emptySandbox'] as const)
      expect(await refused(name), name).toMatchObject({
        code: 'not-found',
        status: 404,
        detail: expect.stringContaining('part of the sandbox') as string,
      });
    const body = { method: 'GET' as const, ids: [], query: {}, key: 'k' };
    expect(await refused('sendExample', { params: { operation: 'banks' }, body })).toMatchObject({ code: 'not-found' });
  });

  it('reports the sandbox as unreachable if it does not respond', async () => {
    const { refused } = await testConsole({ upstreamUrl: 'http://127.0.0.1:9' });
    expect(await refused('getLab')).toMatchObject({ code: 'upstream-unreachable' });
  });
});
