import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { answering, type Script } from '#tests/support/fakeUpstream.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import { notified, subscriptionId } from '#tests/support/consoleWithWebhooks.ts';
import { temporaryFolder } from '#tests/support/store.ts';

type Console = Awaited<ReturnType<typeof notified>>;
type Kind = keyof typeof messages;

const lost: Script = (response) => void response.destroy();
const creditorId = randomUUID();
/** A message of each kind; numbers keep their digits. */
const messages = {
  putDebtor: { debtorId: randomUUID(), subscriptionId, debtorAccount: { name: 'A', limit: 1.1 } },
  putCreditor: { creditorId, subscriptionId, creditor: { name: 'A' } },
  deleteDebtor: { debtorId: randomUUID(), subscriptionId },
  deleteCreditor: { creditorId, subscriptionId },
  sendUpdate: { resource: 'Subscription' as const, id: subscriptionId, subscriptionId, properties: { a: 'b' } },
  queryDebtors: { subscriptionId },
  queryCreditors: { subscriptionId },
};

/** Sends a message whose response is lost, and makes the service respond from then on. Returns the message's id. */
async function lose({ server, service }: Console, kind: Kind = 'putCreditor'): Promise<string> {
  const working = service.scripts[endpoints.messaging]!; // notified sets it
  service.scripts[endpoints.messaging] = lost;
  const problem = await server.refused(kind, { body: { data: messages[kind] } }); // each with its own body
  service.scripts[endpoints.messaging] = working;
  expect(problem).toMatchObject({ outcome: 'unknown' });
  return problem.messageId!; // the message that may have been sent
}
const again = ({ server }: Console, messageId: string) => server.call('sendMessageAgain', { params: { messageId } });
const sent = ({ service }: Console) => service.askedFor(endpoints.messaging);
const messageOf = async ({ server }: Console, resourceId: string) =>
  (await server.done('getMessage', { params: { resourceId } })).data;

describe('A message whose response was lost', () => {
  it.each(Object.keys(messages) as Kind[])(
    'is resent with the same body and idempotency key: %s (behaviour 4.25)',
    async (kind) => {
      const console = await notified();
      const messageId = await lose(console, kind);
      expect(await messageOf(console, messageId)).toMatchObject({ state: 'waiting', forwarded: false });
      const { length } = sent(console);
      expect(await again(console, messageId)).toMatchObject({
        answer: { data: { messageId, state: 'waiting', forwarded: true } },
      });
      const all = sent(console);
      expect(all).toHaveLength(length + 1);
      expect(new Set(all.map(({ headers }) => headers['x-idempotency-key']))).toEqual(new Set([messageId]));
      expect(new Set(all.map(({ path, body }) => `${path} ${body}`)).size).toBe(1);
      expect((await console.server.done('listMessages')).total).toBe(1);
    },
  );

  it('is resent once by eight concurrent requests, also after a restart (threat 6.2)', async () => {
    const folder = temporaryFolder();
    const before = await notified(folder);
    const messageId = await lose(before);
    await before.server.storage.close();
    const after = await notified(folder);
    const replies = await Promise.all(Array.from({ length: 8 }, () => again(after, messageId)));
    for (const reply of replies) expect(reply).toMatchObject({ answer: { data: { forwarded: true } } });
    expect(sent(after)).toHaveLength(1);
    expect(sent(after)[0]?.headers['x-idempotency-key']).toBe(messageId);
  });

  it('is the same message as the one that the page repeats under its own key', async () => {
    const console = await notified();
    console.service.scripts[endpoints.messaging] = lost;
    const put = { body: { data: messages.putCreditor }, key: 'key' };
    const { messageId = '' } = await console.server.refused('putCreditor', put);
    console.service.scripts[endpoints.messaging] = (response) => void response.writeHead(202).end();
    await again(console, messageId);
    expect(await console.server.done('putCreditor', put)).toMatchObject({ messageId });
    expect(new Set(sent(console).map(({ headers }) => headers['x-idempotency-key']))).toEqual(new Set([messageId]));
    expect((await console.server.done('listMessages')).total).toBe(1);
  });

  it('stays pending and possibly unsent if resending it fails or is refused', async () => {
    const console = await notified();
    const messageId = await lose(console);
    for (const script of [
      lost,
      answering({ title: 'Too many', code: 'No' }, 429),
      answering({ title: 'Bad', code: 'No' }, 400),
    ]) {
      console.service.scripts[endpoints.messaging] = script;
      expect(await again(console, messageId)).toMatchObject({ problem: { outcome: 'unknown', messageId } });
      expect(await messageOf(console, messageId)).toMatchObject({ state: 'waiting', forwarded: false });
    }
  });
});

describe('A message to the service', () => {
  it('that the service answers with 408 may have been sent, and can be resent', async () => {
    const console = await notified();
    const working = console.service.scripts[endpoints.messaging]!; // notified sets it
    console.service.scripts[endpoints.messaging] = answering({ title: 'Slow', code: 'No' }, 408);
    const problem = await console.server.refused('putCreditor', { body: { data: messages.putCreditor } });
    expect(problem).toMatchObject({ outcome: 'unknown' });
    console.service.scripts[endpoints.messaging] = working;
    expect(await again(console, problem.messageId!)).toMatchObject({ answer: { data: { forwarded: true } } });
  });

  it('that was not sent because no token was available is not pending', async () => {
    const console = await notified();
    console.service.scripts[endpoints.accessToken] = answering({ title: 'Oops' }, 500);
    const problem = await console.server.refused('putCreditor', { body: { data: messages.putCreditor } });
    expect(problem).toMatchObject({ outcome: 'not-sent' });
    expect(problem).not.toHaveProperty('messageId');
    expect((await console.server.done('listMessages')).total).toBe(0);
    expect(sent(console)).toEqual([]);
  });
});

describe('A request to resend a message sends nothing', () => {
  it('while the message is being sent: it gets the response of that request (threat 6.2)', async () => {
    const console = await notified();
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      console.service.scripts[endpoints.messaging] = (response) => {
        answer = () => response.writeHead(202).end();
        resolve();
      };
    });
    const sending = console.server.done('putCreditor', { body: { data: messages.putCreditor } });
    await asked;
    const { messageId } = await messageOf(console, creditorId);
    const repeats = Promise.all([again(console, messageId), again(console, messageId)]);
    answer();
    for (const reply of await repeats) expect(reply).toMatchObject({ answer: { data: { forwarded: true } } });
    expect(await sending).toMatchObject({ messageId });
    expect(sent(console)).toHaveLength(1);
  });

  it('if the service has accepted the message, or the provider has answered', async () => {
    const console = await notified();
    const { messageId: had } = await console.server.done('putDebtor', { body: { data: messages.putDebtor } });
    const answered = await lose(console);
    const { length } = sent(console);
    await console.notify({
      type: 'creditorputs',
      subscriptionId,
      interactionId: answered,
      data: { creditorId, status: 'Accepted' },
    });
    expect(await again(console, had)).toMatchObject({ answer: { data: { state: 'waiting', forwarded: true } } });
    expect(await again(console, answered)).toMatchObject({ answer: { data: { state: 'accepted' } } });
    expect(sent(console)).toHaveLength(length);
  });

  it.each([
    ['two weeks have passed', 14 * 24 * 3_600_000],
    ['the clock was set back', -1],
  ])('once the service may have forgotten its key: %s (threat 6.2)', async (_, passed) => {
    const time = { now: Date.now() };
    const clock = { ...systemClock, now: () => time.now, steady: () => time.now };
    const console = await notified(temporaryFolder(), clock);
    const messageId = await lose(console);
    const { length } = sent(console);
    time.now += passed;
    const problem = { code: 'outcome-unknown', outcome: 'unknown', messageId };
    expect(await again(console, messageId)).toMatchObject({ problem });
    expect(sent(console)).toHaveLength(length);
    expect(await messageOf(console, messageId)).toMatchObject({ state: 'waiting', forwarded: false });
  });

  it.each(['unknown', creditorId])('if the message is unknown: %s', async (id) => {
    const console = await notified();
    await lose(console);
    const { length } = sent(console);
    expect(await again(console, id)).toMatchObject({ status: 404, problem: { code: 'not-found' } });
    expect(sent(console)).toHaveLength(length);
  });
});

it('The sandbox recognises a resent message by its key and accepts it', async () => {
  const server = await consoleWithSandbox();
  await onboard(server);
  const { subscriptionId: id } = await subscribe(server);
  const update = { resource: 'Subscription' as const, id, subscriptionId: id, properties: { unheardOf: 'x' } };
  const fault = {
    on: 'call',
    of: 'updates',
    fault: { kind: 'answerLost' },
    times: 1,
    probability: 1,
    seed: 1,
  } as const;
  await server.done('setFault', { body: fault });
  const { messageId = '' } = await server.refused('sendUpdate', { body: { data: update } });
  expect(await server.done('sendMessageAgain', { params: { messageId } })).toMatchObject({
    data: { messageId, forwarded: true },
  });
});
