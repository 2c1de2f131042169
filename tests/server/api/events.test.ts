import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scopeHeader } from '#contract/constants.ts';
import { createSessions } from '#server/auth/sessions.ts';
import { systemClock, type Clock } from '#server/clock.ts';
import { eventsPath } from '#server/api/events.ts';
import { timelinePaths } from '#server/api/timeline.ts';
import { messages } from '#server/messages/records.ts';
import { recordEventsTopic } from '#server/storage/records.ts';
import { storeAt } from '#server/companies/companyStore.ts';
import { defaultWorkspace } from '#server/http/user.ts';
import { eventually } from '#tests/support/eventually.ts';
import { testConsole } from '#tests/support/console.ts';
import { eventsIn } from '#tests/support/eventStream.ts';
import { keptMessage } from '#tests/support/messages.ts';
import { notified, subscriptionId } from '#tests/support/consoleWithWebhooks.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { statement } from '#tests/support/postgres.ts';
import { storesInPostgres } from '#tests/support/severalServers.ts';
import { firstScope, storeUrlIn, temporaryFolder } from '#tests/support/store.ts';

type Console = Awaited<ReturnType<typeof notified>>;

const creditorId = randomUUID();
const put = async ({ server }: Console, key: string = randomUUID()) =>
  (
    await server.done('putCreditor', {
      body: { data: { creditorId, subscriptionId, creditor: { name: 'A' } }, whilePending: 'send' },
      key,
    })
  ).messageId;
const accepted = {
  type: 'creditorputs',
  subscriptionId,
  resource: { id: creditorId, type: 'Creditor' },
  data: { creditorId, status: 'Accepted' },
};

/** Asks for a message as a page does that has been given the answer with this ETag. */
const poll = ({ url }: { url: string }, messageId: string, tag: string, scope: string = firstScope) =>
  fetch(`${url}/api/messages/${messageId}`, { headers: { [scopeHeader]: scope, 'if-none-match': tag } });
const tagOf = async ({ url }: { url: string }, messageId: string) => {
  const { headers, status } = await fetch(`${url}/api/messages/${messageId}`);
  return [status, headers.get('etag') ?? ''] as const;
};

describe('a page that asks for its message again and again', () => {
  it('is given the answer once, and nothing while nothing is new', async () => {
    const console = await notified();
    const { server } = console;
    const messageId = await put(console);
    const [status, tag] = await tagOf(server, messageId);
    expect([status, tag]).toEqual([200, expect.stringMatching(/^"[^"]+"$/)]);
    const before = (await server.done('getTimeline', { query: { limit: '100' } })).data.length;
    for (const sent of [tag, `W/${tag}`]) {
      const unchanged = await poll(server, messageId, sent);
      expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
      expect(unchanged.headers.get(scopeHeader)).toBe(firstScope);
      expect(unchanged.headers.get('cache-control')).toBe('no-store');
    }
    const { data } = await server.done('getTimeline', { query: { limit: '100' } });
    expect(data.length, 'nor is it recorded').toBe(before);
    expect((await poll(server, messageId, '"another"')).status).toBe(200);
  });

  it('is given the outcome as soon as it is there', async () => {
    const console = await notified();
    const messageId = await put(console);
    const [, tag] = await tagOf(console.server, messageId);
    await console.notify(accepted);
    const answer = await poll(console.server, messageId, tag);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: { state: 'accepted' } });
  });

  it('is given what another tab has changed', async () => {
    const console = await notified();
    const { server } = console;
    const messageId = await put(console);
    const [, tag] = await tagOf(server, messageId);
    await server.store.messages.put(messageId, keptMessage({ messageId, status: 'Received' }));
    expect((await poll(server, messageId, tag)).status).toBe(200);
  });

  it('is given the answer anew for another company, and once its company is gone', async () => {
    const console = await notified();
    const { server } = console;
    const messageId = await put(console);
    const [, tag] = await tagOf(server, messageId);
    expect((await poll(server, messageId, tag, 'another')).status).toBe(409);
    expect((await poll(server, messageId, tag)).status).toBe(304);
    await server.store.scopes.remove(firstScope);
    expect((await poll(server, messageId, tag)).status).not.toBe(304);
  });

  it('is told when its session has ended', async () => {
    const { signedIn, url, storage } = await sharedUse();
    const sessions = createSessions(storage, systemClock);
    const ada = await signedIn('ada');
    const [session = ''] = ada.cookiesFor(url).values();
    const { workspace } = (await sessions.use(sessions.keyOf(session)))!;
    const scope = firstScope;
    await storeAt(storage, workspace, scope)
      .records(messages)
      .put('m', keptMessage({ messageId: 'm' }));
    const given = await ada.call('getMessage', { params: { resourceId: 'm' } });
    const tag = given.headers.get('etag')!;
    const asked = { params: { resourceId: 'm' }, headers: { [scopeHeader]: scope, 'if-none-match': tag } };
    expect((await ada.call('getMessage', asked)).status).toBe(304);
    expect((await poll({ url }, 'm', tag, scope)).status).toBe(401);
    const ben = await signedIn('ben');
    expect((await ben.call('getMessage', asked)).status).not.toBe(304);
  });
});

/** Follows the news of these ids; the connection is left at the end of the test, or by `leave`. */
async function following(
  { url }: { url: string },
  ids: readonly string[],
  fetching: (address: string) => Promise<Response> = fetch,
) {
  const query = new URLSearchParams(ids.map((id) => ['id', id])).toString();
  const answer = await fetching(`${url}${eventsPath}?${query}`);
  const stream = eventsIn(answer);
  onTestFinished(stream.leave);
  return { answer, status: answer.status, ...stream };
}
const heard = async ({ next }: ReturnType<typeof eventsIn>) => {
  const event = await next();
  return event && [event.event, JSON.parse(event.data)];
};

describe('a page that waits', () => {
  it('is told that there is news of its message, batch or subscription once a webhook has come, and of no other', async () => {
    const console = await notified();
    const { server, notify } = console;
    await server.store.batches.put('b', { batchId: 'b', status: 'Received', amount: '1', currency: 'GBP' } as never); // what is read of it
    const mine = await put(console);
    const stream = await following(server, [mine, 'b', subscriptionId]);
    expect(stream.answer.headers.get('content-type')).toBe('text/event-stream');
    await put(console);
    await notify({ ...accepted, interactionId: mine });
    expect(await heard(stream)).toEqual(['news', { id: mine }]);
    await notify({ type: 'batch', resource: { id: 'b', type: 'Batch' } });
    expect(await heard(stream)).toEqual(['news', { id: 'b' }]);
    await notify({ type: 'subscription', resource: { id: subscriptionId, type: 'Subscription' } });
    expect(await heard(stream)).toEqual(['news', { id: subscriptionId }]);
  });

  it('is not told of what it reads itself, or its polls would wake each other', async () => {
    const { server, notify } = await notified();
    const stream = await following(server, [subscriptionId, 'b']);
    await server.done('getSubscription', { params: { subscriptionId } });
    await server.done('getBatch', { params: { batchId: 'b' } });
    await notify({ type: 'batch', resource: { id: 'b', type: 'Batch' } });
    expect(await heard(stream)).toEqual(['news', { id: 'b' }]);
  });

  it('is told by the timeline’s stream as well, if it asks for that', async () => {
    const console = await notified();
    const messageId = await put(console);
    await console.server.timelines.flush();
    const answer = await fetch(`${console.server.url}${timelinePaths.events}?news=true`);
    const { next, leave } = eventsIn(answer);
    await console.notify(accepted);
    expect(await next()).toMatchObject({ event: 'news', data: JSON.stringify({ id: messageId }) });
    expect(await next()).toMatchObject({ event: 'entry' });
    await leave();
  });

  it('is told of its own workspace alone', async () => {
    const { signedIn, url, storage } = await sharedUse();
    const sessions = createSessions(storage, systemClock);
    const [ada, ben] = [await signedIn('ada'), await signedIn('ben')];
    const workspaceOf = async (agent: typeof ada) => {
      const [session = ''] = agent.cookiesFor(url).values();
      return (await sessions.use(sessions.keyOf(session)))!.workspace;
    };
    const stream = await following({ url }, ['m', 'n'], ben.visit);
    for (const [agent, messageId] of [
      [ada, 'm'],
      [ben, 'n'],
    ] as const)
      await storeAt(storage, await workspaceOf(agent), firstScope)
        .records(messages)
        .put(messageId, keptMessage({ messageId }));
    expect(await heard(stream)).toEqual(['news', { id: 'n' }]);
    await stream.leave();
    expect((await following({ url }, ['m'])).status, 'and only when signed in').toBe(401);
  });

  it.each([
    ['nothing', []],
    ['an empty id', ['']],
    ['eleven ids', Array.from({ length: 11 }, (_, index) => `m${index}`)],
    ['an id that is too long', ['m'.repeat(201)]],
    ['an id with a control character', ['m\u0000']],
  ])('is refused for %s', async (_, ids) => {
    const { server } = await notified();
    const { status, answer } = await following(server, ids);
    expect([status, await answer.json()]).toEqual([400, expect.objectContaining({ code: 'invalid-request' })]);
  });

  it('is one of at most so many, and leaves nothing behind', async () => {
    const server = await testConsole({ upstreamUrl: 'http://127.0.0.1:9', streams: 3 });
    const { recordEvents } = server;
    const streams = [];
    for (const id of ['a', 'b', 'c']) streams.push(await following(server, [id]));
    expect([recordEvents.followers(), ...streams.map(({ status }) => status)]).toEqual([3, 200, 200, 200]);
    expect((await following(server, ['d'])).status).toBe(429);
    for (const { leave } of streams) await leave();
    await eventually(() => Promise.resolve(expect(recordEvents.followers()).toBe(0)));
    expect((await following(server, ['d'])).status).toBe(200);
  });

  it('shares 20 streams with the other pages of its user, who takes none of the others’', async () => {
    const { signedIn, url } = await sharedUse();
    const [ada, ben] = [await signedIn('ada'), await signedIn('ben')];
    const follow = async ({ visit }: typeof ada) => {
      const { status, body } = await visit(`${url}${eventsPath}?id=m`);
      onTestFinished(() => body?.cancel());
      return status;
    };
    for (let pages = 0; pages < 20; pages += 1) expect(await follow(ada)).toBe(200);
    expect([await follow(ada), await follow(ben)]).toEqual([429, 200]);
  });

  it('hears a beat while there is no news, and comes again after five minutes', async () => {
    const faster: Clock = { ...systemClock, setTimeout: (run, ms) => systemClock.setTimeout(run, ms / 1000) };
    const { server } = await notified(temporaryFolder(), faster);
    const { next } = await following(server, ['m']);
    const beats = [];
    for (let event = await next(); event; event = await next()) beats.push(event.event);
    expect(new Set(beats)).toEqual(new Set(['here']));
    await eventually(() => Promise.resolve(expect(server.recordEvents.followers()).toBe(0)));
  });

  it('is let go when the server ends, and when it does not read', async () => {
    const { server } = await notified();
    const { recordEvents } = server;
    const first = await following(server, ['m']);
    recordEvents.end();
    expect(await first.next()).toBeUndefined();
    await following(server, ['m']);
    for (let events = 0; events < 20_000; events += 1)
      await server.storage.publish(recordEventsTopic(defaultWorkspace), 'm');
    await eventually(() => Promise.resolve(expect(recordEvents.followers()).toBe(0)));
  });
});

describe('news that may have been missed, because the connection to the database was lost', () => {
  /** A console in PostgreSQL, and a function that cuts its connections. */
  async function cuttable() {
    storesInPostgres();
    const folder = temporaryFolder();
    const server = await testConsole({ upstreamUrl: 'http://127.0.0.1:9', folder });
    const url = await storeUrlIn(folder);
    const cut = () =>
      statement(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    return { server, cut };
  }

  it('tells every page that waits for ids to read them', async () => {
    const { server, cut } = await cuttable();
    const stream = await following(server, ['a', 'b']);
    await cut();
    expect([await heard(stream), await heard(stream)]).toEqual([
      ['news', { id: 'a' }],
      ['news', { id: 'b' }],
    ]);
  });

  it('ends the stream of a page that waits for any id, so that it subscribes again and reads everything', async () => {
    const { server, cut } = await cuttable();
    const { next } = eventsIn(await fetch(`${server.url}${timelinePaths.events}?news=true`));
    await cut();
    let event = await next();
    while (event && event.event !== 'news') event = await next();
    expect(event).toBeUndefined();
  });
});
