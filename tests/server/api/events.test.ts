import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { companyHeader } from '#contract/constants.ts';
import { createSessions } from '#server/auth/sessions.ts';
import { systemClock, type Clock } from '#server/clock.ts';
import { eventsPath } from '#server/api/events.ts';
import { messages } from '#server/messages/records.ts';
import { storeAt } from '#server/companies/companyStore.ts';
import { eventually } from '#tests/support/eventually.ts';
import { testConsole } from '#tests/support/console.ts';
import { eventsIn } from '#tests/support/eventStream.ts';
import { keptMessage } from '#tests/support/messages.ts';
import { notified, subscriptionId } from '#tests/support/consoleWithWebhooks.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { statement } from '#tests/support/postgres.ts';
import { storesInPostgres } from '#tests/support/severalServers.ts';
import { firstCompany, storeUrlIn, temporaryFolder } from '#tests/support/store.ts';

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

/** Polls a message as a page does that has the response with this ETag. */
const poll = ({ url }: { url: string }, messageId: string, tag: string, companyKey: string = firstCompany) =>
  fetch(`${url}/api/messages/${messageId}`, { headers: { [companyHeader]: companyKey, 'if-none-match': tag } });
const tagOf = async ({ url }: { url: string }, messageId: string) => {
  const { headers, status } = await fetch(`${url}/api/messages/${messageId}`);
  return [status, headers.get('etag') ?? ''] as const;
};

/** A console where users sign in; `signedIn` gives a user's browser and workspace. */
async function shared() {
  const use = await sharedUse();
  const sessions = createSessions(use.storage, systemClock);
  const signedIn = async (login: string) => {
    const agent = await use.signedIn(login);
    const [session = ''] = agent.cookiesFor(use.url).values();
    return { ...agent, workspace: (await sessions.use(sessions.keyOf(session)))!.workspace };
  };
  /** Stores a message in a workspace. */
  const keep = (workspace: string, messageId: string, companyKey: string = firstCompany) =>
    storeAt(use.storage, workspace, companyKey).records(messages).put(messageId, keptMessage({ messageId }));
  return { url: use.url, signedIn, keep };
}

describe('A page that polls a message', () => {
  it('gets status 304 and records nothing in the timeline until the message changes (behaviour 4.14)', async () => {
    const console = await notified();
    const { server } = console;
    const messageId = await put(console);
    const [status, tag] = await tagOf(server, messageId);
    expect([status, tag]).toEqual([200, expect.stringMatching(/^"[^"]+"$/)]);
    const before = (await server.done('getTimeline', { query: { limit: '100' } })).data.length;
    for (const sent of [tag, `W/${tag}`]) {
      const unchanged = await poll(server, messageId, sent);
      expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
      expect(unchanged.headers.get(companyHeader)).toBe(firstCompany);
      expect(unchanged.headers.get('cache-control')).toBe('no-store');
    }
    const { data } = await server.done('getTimeline', { query: { limit: '100' } });
    expect(data.length, 'nor is it recorded').toBe(before);
    expect((await poll(server, messageId, '"another"')).status).toBe(200);
  });

  it('gets the outcome as soon as its webhook has been received', async () => {
    const console = await notified();
    const messageId = await put(console);
    const [, tag] = await tagOf(console.server, messageId);
    await console.notify(accepted);
    const answer = await poll(console.server, messageId, tag);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: { state: 'accepted' } });
  });

  it('gets the message again after another tab has changed it', async () => {
    const console = await notified();
    const { server } = console;
    const messageId = await put(console);
    const [, tag] = await tagOf(server, messageId);
    await server.store.messages.put(messageId, keptMessage({ messageId, status: 'Received' }));
    expect((await poll(server, messageId, tag)).status).toBe(200);
  });

  it('gets no 304 for another company or after its company has been removed', async () => {
    const console = await notified();
    const { server } = console;
    const messageId = await put(console);
    const [, tag] = await tagOf(server, messageId);
    expect((await poll(server, messageId, tag, 'another')).status).toBe(409);
    expect((await poll(server, messageId, tag)).status).toBe(304);
    await server.store.companies.remove(firstCompany);
    expect((await poll(server, messageId, tag)).status).not.toBe(304);
  });

  it('gets status 401 after its session has ended, and no 304 in another user’s session', async () => {
    const { signedIn, url, keep } = await shared();
    const ada = await signedIn('ada');
    const companyKey = firstCompany;
    await keep(ada.workspace, 'm');
    const given = await ada.call('getMessage', { params: { resourceId: 'm' } });
    const tag = given.headers.get('etag')!;
    const asked = { params: { resourceId: 'm' }, headers: { [companyHeader]: companyKey, 'if-none-match': tag } };
    expect((await ada.call('getMessage', asked)).status).toBe(304);
    expect((await poll({ url }, 'm', tag, companyKey)).status).toBe(401);
    const ben = await signedIn('ben');
    expect((await ben.call('getMessage', asked)).status).not.toBe(304);
  });
});

/** Opens an event stream, which closes at the end of the test or by `leave`. */
async function following({ url }: { url: string }, fetching: (address: string) => Promise<Response> = fetch) {
  const answer = await fetching(url + eventsPath);
  const stream = eventsIn(answer);
  onTestFinished(stream.leave);
  return { answer, status: answer.status, ...stream };
}
/** The record id in the next `news` event of a stream; undefined at its end. */
async function newsIn({ next }: ReturnType<typeof eventsIn>): Promise<string | undefined> {
  let event = await next();
  while (event && event.event !== 'news') event = await next();
  return event && (JSON.parse(event.data) as { id: string }).id;
}

describe('The event stream of a page', () => {
  it('reports a message, batch or subscription that a webhook is about, and no other record (behaviour 4.15)', async () => {
    const console = await notified();
    const { server, notify } = console;
    await server.store.batches.put('b', { batchId: 'b', status: 'Received', amount: '1', currency: 'GBP' } as never); // the members that are read
    const mine = await put(console);
    const stream = await following(server);
    expect(stream.answer.headers.get('content-type')).toBe('text/event-stream');
    await notify({ ...accepted, interactionId: mine });
    expect(await newsIn(stream)).toBe(mine);
    await notify({ type: 'batch', resource: { id: 'b', type: 'Batch' } });
    expect(await newsIn(stream)).toBe('b');
    await notify({ type: 'subscription', resource: { id: subscriptionId, type: 'Subscription' } });
    expect(await newsIn(stream)).toBe(subscriptionId);
  });

  it('does not report records that the page’s reads update, which would trigger further polls', async () => {
    const { server, notify } = await notified();
    const stream = await following(server);
    await server.done('getSubscription', { params: { subscriptionId } });
    await server.done('getBatch', { params: { batchId: 'b' } });
    await notify({ type: 'batch', resource: { id: 'b', type: 'Batch' } });
    expect(await newsIn(stream)).toBe('b');
  });

  it('reports records of its workspace only, and requires a session (threat 6.7)', async () => {
    const { signedIn, url, keep } = await shared();
    const [ada, ben] = [await signedIn('ada'), await signedIn('ben')];
    const stream = await following({ url }, ben.visit);
    await keep(ada.workspace, 'm');
    await keep(ben.workspace, 'n');
    expect(await newsIn(stream)).toBe('n');
    await stream.leave();
    expect((await following({ url })).status, 'and only when signed in').toBe(401);
  });

  it('reports records of every company in the workspace, whichever company the page shows', async () => {
    const { signedIn, url, keep } = await shared();
    const ada = await signedIn('ada');
    const stream = await following({ url }, ada.visit);
    for (const companyKey of ['one', 'other']) {
      await keep(ada.workspace, `of-${companyKey}`, companyKey);
      expect(await newsIn(stream)).toBe(`of-${companyKey}`);
    }
  });

  it('is refused with 429 above the maximum number of streams, and frees its place when it closes (threat 6.7)', async () => {
    const server = await testConsole({ upstreamUrl: 'http://127.0.0.1:9', streams: 3 });
    const { recordEvents } = server;
    const streams = [];
    for (let pages = 0; pages < 3; pages += 1) streams.push(await following(server));
    expect([recordEvents.subscribers(), ...streams.map(({ status }) => status)]).toEqual([3, 200, 200, 200]);
    expect((await following(server)).status).toBe(429);
    for (const { leave } of streams) await leave();
    await eventually(() => Promise.resolve(expect(recordEvents.subscribers()).toBe(0)));
    expect((await following(server)).status).toBe(200);
  });

  it('is refused with 429 above 20 streams per user, independently of other users (threat 6.7)', async () => {
    const { signedIn, url } = await sharedUse();
    const [ada, ben] = [await signedIn('ada'), await signedIn('ben')];
    const follow = async ({ visit }: typeof ada) => {
      const { status, body } = await visit(`${url}${eventsPath}`);
      // A stream without a reader is closed once its response has been collected as garbage.
      const reader = body?.getReader();
      onTestFinished(() => reader?.cancel());
      return status;
    };
    for (let pages = 0; pages < 20; pages += 1) expect(await follow(ada)).toBe(200);
    expect([await follow(ada), await follow(ben)]).toEqual([429, 200]);
  });

  it('sends heartbeats while no record changes, and ends after five minutes', async () => {
    const faster: Clock = { ...systemClock, setTimeout: (run, ms) => systemClock.setTimeout(run, ms / 1000) };
    const { server } = await notified(temporaryFolder(), faster);
    const { next } = await following(server);
    const beats = [];
    for (let event = await next(); event; event = await next()) beats.push(event.event);
    expect(new Set(beats)).toEqual(new Set(['here']));
    await eventually(() => Promise.resolve(expect(server.recordEvents.subscribers()).toBe(0)));
  });

  it('ends when the server shuts down (threat 6.7)', async () => {
    const { server } = await notified();
    const { next } = await following(server);
    server.recordEvents.endSubscriptions();
    expect(await next()).toBeUndefined();
  });
});

it('An event stream ends after the database connection was lost, so that its page reads missed events', async () => {
  storesInPostgres();
  const folder = temporaryFolder();
  const server = await testConsole({ upstreamUrl: 'http://127.0.0.1:9', folder });
  const stream = eventsIn(await fetch(server.url + eventsPath));
  await statement(
    await storeUrlIn(folder),
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  expect(await newsIn(stream)).toBeUndefined();
});
