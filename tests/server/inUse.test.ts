import type { Context } from 'koa';
import { describe, expect, it, vi } from 'vitest';
import { createInUse } from '#server/inUse.ts';
import { deliver } from '#tests/support/delivery.ts';
import { testConsole } from '#tests/support/console.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';

/** Values with a clock that the test moves. */
function held(most: number) {
  let now = 0;
  let timers: { run: () => void; at: number }[] = [];
  const busy = new Set<string>();
  const gone: string[] = [];
  const made: string[] = [];
  const inUse = createInUse({
    make(name) {
      made.push(name);
      return { name };
    },
    most,
    life: 60_000,
    mayGo: (name) => !busy.has(name),
    gone: (name) => gone.push(name),
    clock: {
      steady: () => now,
      setTimeout(run, ms) {
        const timer = { run, at: now + ms };
        timers.push(timer);
        return timer;
      },
      clearTimeout: (timer) => (timers = timers.filter((each) => each !== timer)),
    },
  });
  const pass = (ms: number) => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { run } of due) run();
  };
  /** A request that uses these, and how it ends. */
  const request = (...names: string[]) => {
    const ctx = {} as Context; // only its identity counts
    let end: (error?: Error) => void = () => undefined;
    const handled = new Promise<void>((resolve, reject) => (end = (error) => (error ? reject(error) : resolve())));
    const values = names.map((name) => inUse.of(ctx, name));
    const released = Promise.resolve(inUse.release(ctx, () => handled)).catch(() => undefined);
    return { values, async end(error?: Error) {
      end(error);
      await released;
    } }; // prettier-ignore
  };
  return { pass, request, busy, gone, made };
}

describe('what is held for those who use it', () => {
  it('is shared, and let go in the order of use when there is too much', async () => {
    const { pass, request, gone, made } = held(2);
    const [one, other] = [request('a', 'a'), request('a')];
    expect(other.values[0]).toBe(one.values[0]);
    expect(made).toEqual(['a']);
    for (const name of ['b', 'c', 'd']) await request(name).end();
    pass(1000);
    expect(gone, 'not while it is used').toEqual(['b', 'c']);
    await one.end();
    pass(1000);
    expect(gone).toEqual(['b', 'c']);
    await other.end(new Error('failed'));
    await request('e').end();
    pass(1000);
    expect(gone).toEqual(['b', 'c', 'a']);
  });

  it('is let go after its life, once it has nothing to do', async () => {
    const { pass, request, busy, gone, made } = held(10);
    busy.add('a');
    for (const name of ['a', 'b']) await request(name).end();
    pass(59_000);
    expect(gone).toEqual([]);
    pass(1000);
    expect(gone).toEqual(['b']);
    busy.clear();
    pass(60_000);
    expect(gone).toEqual(['b', 'a']);
    await request('a').end();
    expect(made).toEqual(['a', 'b', 'a']);
  });
});

it('keeps no more than a hundred workspaces in memory, and loses nothing of the others', async () => {
  const { url, stores, timelines } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
  const letGo = vi.spyOn(timelines, 'letGo');
  const subscription = { providerId: '', status: 'Authorised', suspended: false, useMock: 'true' };
  for (let index = 0; index < 105; index += 1) {
    const subscriptionId = `subscription-${index}`;
    await stores.of(`workspace-${index}`).subscriptions.put(subscriptionId, { ...subscription, subscriptionId });
    expect((await deliver(url, JSON.stringify({ type: 'other', subscriptionId }))).status).toBe(204);
  }
  await vi.waitFor(() => expect(letGo).toHaveBeenCalledTimes(5), 10_000);
  expect(letGo.mock.calls.flat()).toEqual(Array.from({ length: 5 }, (_, index) => `workspace-${index}`));
  await deliver(url, JSON.stringify({ type: 'another', subscriptionId: 'subscription-0' }));
  const entries = await timelines.of('workspace-0').list();
  expect(entries.map(({ name }) => name)).toEqual(['other', 'another']);
});
