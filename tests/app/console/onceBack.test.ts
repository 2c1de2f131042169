// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createActor, fromTransition } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { resourceMachine } from '#machines/lib/resource.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { onceBack, repeatReading } from '#app/console/onceBack.ts';

const problem = (changes: Partial<Problem>): Problem => ({
  type: 'about:blank',
  title: 'It failed',
  status: 502,
  detail: '',
  code: 'internal',
  ...changes,
});

/** The response of /readyz. */
let ready: () => Promise<Response>;
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => ready());
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const away = { code: 'store-failed', status: 503 } as const;
const answers = (store: boolean) => () => Promise.resolve(Response.json({ store, upstream: false }));
const service = (upstream: boolean) => () => Promise.resolve(Response.json({ store: true, upstream }));
const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A resource whose first reading has failed; it may act as well, and the act fails. */
async function unread(changes: Partial<Problem>) {
  const failure = problem(changes);
  const read = vi.fn(() => Promise.reject(failure)); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- effects reject with problems
  const logic = provideEffects(resourceMachine, { read, act: read });
  const actor = createActor(logic, { input: { reads: 'at once' } }).start();
  const leave = repeatReading(actor);
  onTestFinished(leave);
  await passes(0);
  read.mockClear();
  read.mockImplementation(() => new Promise(() => undefined));
  return { read, leave };
}

it('a machine that dies throws nothing of its own: whoever runs it shows it', () => {
  const fault = new Error('The journey has died');
  const dies = fromTransition(() => {
    throw fault;
  }, null);
  const actor = createActor(dies).start();
  const seen = vi.fn();
  actor.subscribe({ error: seen });
  onTestFinished(onceBack(actor, () => null, seen));
  actor.send({ type: 'fall' });
  expect(() => vi.runAllTimers()).not.toThrow();
  expect(seen).toHaveBeenCalledExactlyOnceWith(fault);
});

describe('a read that has failed', () => {
  it('is repeated once the console is available', async () => {
    ready = () => Promise.reject(new TypeError('Failed to fetch'));
    const { read } = await unread(away);
    await passes(10_000);
    ready = () => Promise.resolve(new Response('<h1>502 Bad Gateway</h1>', { status: 502 }));
    await passes(10_000);
    ready = answers(false);
    await passes(10_000);
    expect(read).not.toHaveBeenCalled();
    ready = answers(true);
    await passes(10_000);
    expect(read).toHaveBeenCalledOnce();
  });

  it('is repeated although an earlier page was left during its check', async () => {
    ready = () => new Promise(() => undefined);
    const { leave } = await unread(away);
    await passes(10_000);
    leave();
    ready = answers(true);
    const { read } = await unread(away);
    await passes(10_000);
    expect(read).toHaveBeenCalledOnce();
  });

  it.each([
    'upstream-unreachable',
    'upstream-timeout',
    'upstream-failed',
    'upstream-busy',
    'key-rejected',
    'signing-key-rejected',
  ] as const)('is repeated once the service works again: %s (behaviour 10.2.4)', async (code) => {
    ready = service(false);
    const { read } = await unread({ code });
    await passes(60_000);
    expect(read).not.toHaveBeenCalled();
    ready = service(true);
    await passes(2500);
    expect(read).toHaveBeenCalledOnce();
  });

  it('is repeated at most every 30 s while the service works and it still fails (behaviour 10.2.4)', async () => {
    ready = service(true);
    await passes(600_000); // later than the repeats of other tests, on the steady clock
    let times = 0;
    for (let pages = 0; pages < 5; pages += 1) {
      const { read, leave } = await unread({ code: 'upstream-failed' });
      await passes(10_000);
      times += read.mock.calls.length;
      leave();
    }
    expect(times).toBe(2);
  });

  it('is repeated once the user is signed in, for example in another tab', async () => {
    ready = service(false);
    await passes(1_200_000);
    const { read } = await unread({ code: 'signed-out' });
    await passes(2500);
    expect(read).toHaveBeenCalledOnce();
  });

  it.each<[string, Partial<Problem>]>([
    ['a write', { ...away, outcome: 'not-sent' }],
    ['a write that the service did not answer', { code: 'upstream-unreachable', outcome: 'unknown' }],
    ['a failed store of the console', { ...away, status: 500 }],
    ['refused by the service', { code: 'upstream-refused' }],
    ['about a company that was removed', { code: 'company-unknown' }],
  ])('is not repeated if it was %s', async (_, changes) => {
    ready = answers(true);
    const { read } = await unread(changes);
    await passes(10_000);
    expect(read).not.toHaveBeenCalled();
    expect(fetch).not.toHaveBeenCalled();
  });
});
