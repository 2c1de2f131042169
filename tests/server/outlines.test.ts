import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Store } from '#server/store/store.ts';
import { keptMessage } from '#tests/support/messages.ts';
import { testStore, testStores } from '#tests/support/store.ts';

const message = (messageId: string, resourceId = 'r') => keptMessage({ messageId, resourceId });

/** What the outlines say, and what is stored. */
async function both({ messages }: Store) {
  const outlines = [...(await messages.outlines()).values()].map(({ messageId, resourceId }) => [
    messageId,
    resourceId,
  ]);
  return [outlines, (await messages.list()).map(({ messageId, resourceId }) => [messageId, resourceId])];
}

const id = fc.constantFrom('a', 'b', 'c', 'd');
const write = fc.oneof(
  fc.record({ kind: fc.constantFrom('put', 'add', 'remove'), ids: fc.tuple(id), mark: fc.nat(9) }),
  fc.record({ kind: fc.constantFrom('putAll', 'removeAll'), ids: fc.uniqueArray(id), mark: fc.nat(9) }),
);

it('agree with the records and their order whatever is written, also while they are read', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(write, fc.boolean()), { maxLength: 12 }), async (writes) => {
      const store = testStore();
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
      store.close();
    }),
    { numRuns: 60 },
  );
});

it('are read again after a write that failed, and after the company was removed', async () => {
  const stores = testStores();
  const store = stores.of('workspace');
  await store.messages.put('a', message('a'));
  expect([...(await store.messages.outlines()).keys()]).toEqual(['a']);
  await expect(store.messages.put('b', { ...message('b'), data: { big: 1n as never } })).rejects.toThrow();
  expect(await both(store)).toEqual([[['a', 'r']], [['a', 'r']]]);
  await store.scopes.remove(await store.scopes.current());
  expect(await both(store)).toEqual([[], []]);
});

it('belong to their company', async () => {
  const store = testStores().of('workspace');
  const [one, other] = [store.at('one'), store.at('other')];
  await one.messages.put('a', message('a'));
  expect(await both(other)).toEqual([[], []]);
  await other.messages.put('b', message('b'));
  expect(await both(one)).toEqual([[['a', 'r']], [['a', 'r']]]);
});
