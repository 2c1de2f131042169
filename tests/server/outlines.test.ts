import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Deps } from '#server/deps.ts';
import { messageRoutes } from '#server/routes/messages.ts';
import type { Input } from '#server/routes/route.ts';
import { createOutlines, outlined } from '#server/store/outlines.ts';
import type { Records } from '#server/store/records.ts';
import type { Store } from '#server/store/store.ts';
import { unreadPage } from '#server/webhooks/inbox.ts';
import { keptMessage } from '#tests/support/messages.ts';
import { upstreamAt } from '#tests/support/sandboxCredentials.ts';
import { testStore, testStores } from '#tests/support/store.ts';

const message = (messageId: string, resourceId = 'r') => keptMessage({ messageId, resourceId });
const webhook = (id: string) => ({ id, type: 'updates', data: {}, receivedAt: '2026-11-20T09:00:00.000Z' });

/** What the outlines say, and what is stored. */
async function both({ messages }: Store) {
  const outlines = [...(await messages.outlines()).values()].map(({ messageId, resourceId }) => [
    messageId,
    resourceId,
  ]);
  return [outlines, (await messages.list()).map(({ messageId, resourceId }) => [messageId, resourceId])];
}

it('have what is written as soon as the records have another version, by which others keep what they read', async () => {
  const stored = new Map<string, { id: string }>();
  let changes = 0;
  let seen: string[] | undefined;
  const records = {
    list: () => Promise.resolve([...stored.values()]),
    version: () => Promise.resolve(''),
    async put(id: string, value: { id: string }) {
      stored.set(id, value);
      changes += 1;
      seen = [...(await all.outlines()).keys()];
    },
  } as unknown as Records<{ id: string }>; // as much as is used
  const all = outlined(
    records,
    ({ id }) => ({ id }),
    ({ id }) => id,
    {
      outlines: createOutlines(),
      here: () => Promise.resolve('w/webhooks'),
      version: () => Promise.resolve(`${changes}`),
    },
  );
  expect([...(await all.outlines()).keys()]).toEqual([]);
  await all.put('a', { id: 'a' });
  expect(seen).toEqual(['a']);
  await all.put('b', { id: 'b' });
  expect(seen).toEqual(['a', 'b']);
  expect([...(await all.outlines()).keys()]).toEqual(['a', 'b']);
});

const id = fc.constantFrom('a', 'b', 'c', 'd');
const write = fc.oneof(
  fc.record({ kind: fc.constantFrom('put', 'add', 'remove'), ids: fc.tuple(id), mark: fc.nat(9) }),
  fc.record({ kind: fc.constantFrom('putAll', 'removeAll'), ids: fc.uniqueArray(id), mark: fc.nat(9) }),
);

it('agree with the records and their order whatever is written, also while they are read', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(write, fc.boolean()), { maxLength: 12 }), async (writes) => {
      const store = await testStore();
      const { messages } = store;
      const writing: Promise<unknown>[] = [];
      for (const [{ kind, ids, mark }, isRead] of writes) {
        const [first] = ids;
        const made = ids.map((each): [string, ReturnType<typeof message>] => [each, message(each, `r${mark}`)]);
        if (isRead) void messages.outlines();
        if (kind === 'put')
          writing.push(messages.put(...made[0]!)); // a tuple of one
        else if (kind === 'add')
          writing.push(messages.add(...made[0]!)); // the same
        else if (kind === 'remove')
          writing.push(messages.remove(first)); // the same
        else if (kind === 'putAll') writing.push(messages.putAll(made));
        else writing.push(messages.removeAll(ids));
        await Promise.all(writing.splice(0, isRead ? 0 : Infinity));
      }
      await Promise.all(writing);
      const [outlines, records] = await both(store);
      expect(outlines).toEqual(records);
      await store.close();
    }),
    { numRuns: 60 },
  );
});

it('are read again after a write that failed, and after the company was removed', async () => {
  const stores = await testStores();
  const store = stores.of('workspace');
  await store.messages.put('a', message('a'));
  expect([...(await store.messages.outlines()).keys()]).toEqual(['a']);
  await expect(store.messages.put('b', { ...message('b'), data: { big: 1n as never } })).rejects.toThrow();
  expect(await both(store)).toEqual([[['a', 'r']], [['a', 'r']]]);
  await store.scopes.remove(await store.scopes.current());
  expect(await both(store)).toEqual([[], []]);
});

it('belong to their company', async () => {
  const store = (await testStores()).of('workspace');
  const [one, other] = [store.at('one'), store.at('other')];
  await one.messages.put('a', message('a'));
  expect(await both(other)).toEqual([[], []]);
  await other.messages.put('b', message('b'));
  expect(await both(one)).toEqual([[['a', 'r']], [['a', 'r']]]);
});

describe('while a write is on its way to the disk, and the outline is the former one,', () => {
  it('what was decided is in no list of what waits', async () => {
    const store = await testStore();
    for (const each of ['a', 'b']) await store.messages.put(each, message(each));
    const late = new Map(await store.messages.outlines());
    await store.messages.put('a', { ...message('a'), state: 'accepted' });
    const messages = { ...store.messages, outlines: () => Promise.resolve(late) };
    const deps = { store: { ...store, messages }, config: { upstream: upstreamAt('http://127.0.0.1') } };
    const routes = messageRoutes(deps as unknown as Deps); // all that is read
    const { data } = await routes.listMessages({ query: { state: 'waiting' } } as Input<'listMessages'>); // likewise
    expect(data.map(({ messageId, state }) => [messageId, state])).toEqual([['b', 'waiting']]);
  });

  it('what was read is in no list of what is unread', async () => {
    const store = await testStore();
    const { webhooks } = store;
    for (const id of ['a', 'b']) await webhooks.put(id, { ...webhook(id), unread: true });
    const late = new Map(await webhooks.outlines());
    await webhooks.put('a', { ...webhook('a'), unread: false });
    const { data } = await unreadPage(
      { ...store, webhooks: { ...webhooks, outlines: () => Promise.resolve(late) } },
      {},
    );
    expect(data.map(({ id }) => id)).toEqual(['b']);
  });
});

it('are those of the later write, though the earlier one is confirmed after it', async () => {
  const kept = new Map<string, string>();
  const confirm: (() => void)[] = [];
  let confirmed = 0;
  const put = (id: string, value: string) => {
    kept.set(id, value);
    return new Promise<void>((done) => confirm.push(done)).then(() => void (confirmed += 1));
  };
  const records = {
    put,
    list: () => Promise.resolve([...kept.values()]),
    version: () => Promise.resolve(''),
  } as unknown as Records<string>; // all that is used
  const all = outlined(
    records,
    (value) => value,
    () => 'a',
    { outlines: createOutlines(), here: () => Promise.resolve('here'), version: () => Promise.resolve(`${confirmed}`) },
  );
  const [earlier, later] = [all.put('a', 'earlier'), all.put('a', 'later')];
  await vi.waitFor(() => expect(confirm).toHaveLength(2));
  confirm[1]!(); // just seen
  await later;
  expect([...(await all.outlines()).values()]).toEqual(['later']);
  confirm[0]!(); // likewise
  await earlier;
  expect([...(await all.outlines()).values()]).toEqual(['later']);
});
