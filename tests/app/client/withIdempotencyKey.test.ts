// @vitest-environment jsdom
import { version } from 'uuid';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withIdempotencyKey } from '#app/client/withIdempotencyKey.ts';
import type { Outcome } from '#contract/outcome.ts';

const body = { data: { providerId: 'p', additionalData: '{}' } };
const problem = (outcome?: Outcome) => ({ status: 502, code: 'upstream-refused', title: '', detail: '', outcome });

/** A pending write with the key and the id of its request. */
function press(operation = 'createSubscription', what: unknown = body) {
  const sent = { key: '', id: '', answer: (_: string) => {}, lose: (_?: unknown) => {} };
  const outcome = withIdempotencyKey(
    operation,
    what,
    (key, id) =>
      new Promise<string>((resolve, reject) => Object.assign(sent, { key, id, answer: resolve, lose: reject })),
  ).catch((error: unknown) => error);
  return { ...sent, outcome };
}

async function ended(how: 'answer' | Outcome): Promise<string> {
  const { key, answer, lose, outcome } = press();
  if (how === 'answer') answer('done');
  else lose(problem(how));
  await outcome;
  return key;
}

/** Removes the keys but not the round, as in a tab that does not see another tab's keys yet. */
const asSeenElsewhere = () =>
  Object.keys(localStorage)
    .filter((slot) => slot.startsWith('once:createSubscription:'))
    .forEach((slot) => localStorage.removeItem(slot));

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

describe('an idempotent write', () => {
  it('reuses its key after a lost response, and not for another body or operation', async () => {
    const first = await ended('unknown');
    expect(await ended('unknown')).toBe(first);
    expect(await ended('answer')).toBe(first);
    expect(press('createBatch').key).not.toBe(first);
    expect(press('createSubscription', { ...body, more: true }).key).not.toBe(first);
  });

  it('gets a new key after a success, so that it can be repeated on purpose', async () => {
    const keys = [await ended('answer'), await ended('answer'), await ended('answer')];
    expect(new Set(keys).size).toBe(3);
  });

  it('gets one key in two tabs that submit at once and do not see each other’s storage', async () => {
    await ended('answer');
    const one = press();
    asSeenElsewhere();
    const other = press();
    expect([other.key, other.id]).toEqual([one.key, one.id]);
  });

  it('derives its key, a v5 UUID, from a random id, a v4 UUID (behaviour 9.6)', () => {
    const operations = ['createAccount', 'createBatch', 'createCompany', 'createDataset', 'putCreditor', 'putDebtor'];
    const ids = Array.from({ length: 30 }, () => {
      localStorage.clear();
      return operations.map((operation) => {
        const { key, id } = press(operation);
        expect([version(key), version(id)]).toEqual([5, 4]);
        expect(press(operation)).toMatchObject({ key, id });
        return id;
      });
    }).flat();
    expect(new Set(ids).size).toBe(30 * operations.length);
    // Each digit of a random id, but for version and variant, takes most of its 16 values.
    for (const digit of [0, 7, 9, 15, 24, 35])
      expect(new Set(ids.map((id) => id[digit])).size, `digit ${digit}`).toBeGreaterThan(12);
  });

  it('gets a new key after a refusal', async () => {
    const first = await ended('refused');
    expect(await ended('answer')).not.toBe(first);
  });

  describe('after a refusal', () => {
    /** The key that another tab with the same storage sends. */
    async function elsewhere(how: (key: string) => Promise<string>): Promise<string> {
      vi.resetModules();
      const other = await import('#app/client/withIdempotencyKey.ts');
      let used = '';
      await other
        .withIdempotencyKey('createSubscription', body, (key) => how((used = key)))
        .catch((error: unknown) => expect(error).toHaveProperty('outcome'));
      return used;
    }

    it('uses the key under which another tab has since succeeded (behaviour 4.23)', async () => {
      const refused = await ended('refused');
      const key = await elsewhere((used) => Promise.resolve(used));
      expect(key).not.toBe(refused);
      expect(await ended('answer')).toBe(key);
      expect(await ended('answer')).not.toBe(key);
    });

    it('uses the new key of another tab that was refused as well', async () => {
      const here = press();
      const key = await elsewhere((used) => Promise.reject(Object.assign(new Error(used), problem('refused'))));
      expect(key).toBe(here.key);
      here.lose(problem('refused'));
      await here.outcome;
      const again = await elsewhere((used) => Promise.resolve(used));
      expect(await ended('answer')).toBe(again);
    });

    it('keeps its key if the outcome in another tab is unknown', async () => {
      const here = press();
      here.lose(problem('refused'));
      const key = await elsewhere((used) => Promise.reject(Object.assign(new Error(used), problem('unknown'))));
      await here.outcome;
      expect(await ended('answer')).toBe(key);
    });
  });

  // An attempt that was not sent may follow one that was, before a reload of the page.
  it.each(['not-sent', 'unknown'] as const)('keeps its key after the indecisive outcome %s', async (how) => {
    const lost = await ended('unknown');
    expect(await ended(how)).toBe(lost);
    expect(await ended('answer')).toBe(lost);
  });

  it('keeps its key after an error without an outcome', async () => {
    const { key, lose, outcome } = press();
    lose(new Error('aborted'));
    await outcome;
    expect(press().key).toBe(key);
  });

  it('keeps its key if its response was lost and another tab received the same response', async () => {
    const [one, other] = [press(), press()];
    one.answer('done');
    await one.outcome;
    other.lose(problem('unknown'));
    await other.outcome;
    expect(press().key).toBe(other.key);
  });

  it('keeps its key for a retry although another tab has completed the same write (behaviour 4.23)', async () => {
    const lost = await ended('unknown');
    // What the other tab leaves behind: its key is gone, and the next round has begun.
    asSeenElsewhere();
    localStorage.setItem('once:round', crypto.randomUUID());
    expect(await ended('answer')).toBe(lost);
    expect(await ended('answer')).not.toBe(lost);
  });

  it('keeps its key when an earlier write with the same body ends', async () => {
    const [one, other] = [press(), press()];
    one.answer('done');
    await one.outcome;
    const next = press();
    other.answer('done');
    await other.outcome;
    expect(next.key).not.toBe(one.key);
    expect(press().key).toBe(next.key);
  });

  describe('of unknown outcome whose resend fails before the server’s lookup', () => {
    /** The failure of a submission in a page that has just been opened. */
    async function failureAfterReload(how: Outcome): Promise<unknown> {
      vi.resetModules();
      const page = await import('#app/client/withIdempotencyKey.ts');
      const send = () => Promise.reject(Object.assign(new Error('not sent'), problem(how)));
      return page.withIdempotencyKey('createSubscription', body, send).catch((error: unknown) => error);
    }
    const stillUnknown = { outcome: 'unknown', repeat: 'not-sent' };

    it.each([
      ['its response was lost', (sent: ReturnType<typeof press>) => sent.lose(problem('unknown'))],
      ['the user left the page', (sent: ReturnType<typeof press>) => sent.lose(new Error('aborted'))],
      ['the page was closed during the request', () => undefined],
    ])('stays unknown after reloads: %s (behaviour 4.26)', async (_, lose) => {
      lose(press());
      await Promise.resolve();
      for (let turn = 0; turn < 2; turn += 1) expect(await failureAfterReload('not-sent')).toMatchObject(stillUnknown);
    });

    it('stays unknown in the same page', async () => {
      await ended('unknown');
      const { lose, outcome } = press();
      lose(problem('not-sent'));
      expect(await outcome).toMatchObject(stillUnknown);
    });

    it('stays unknown if the browser has lost its key', async () => {
      await ended('unknown');
      asSeenElsewhere();
      vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
        throw new DOMException('full', 'QuotaExceededError');
      });
      const { outcome } = press();
      vi.restoreAllMocks();
      expect(await outcome).toMatchObject(stillUnknown);
    });
  });

  it('is never called unknown if no attempt was sent', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      const { lose, outcome } = press('putDebtor');
      lose(problem('not-sent'));
      expect(await outcome).toEqual(problem('not-sent'));
    }
  });

  it.each(['answer', 'refused'] as const)('is no longer unknown after %s', async (how) => {
    await ended('unknown');
    await ended(how);
    const { lose, outcome } = press();
    lose(problem('not-sent'));
    expect(await outcome).toEqual(problem('not-sent'));
  });

  it('works without a secure context', async () => {
    const getRandomValues = crypto.getRandomValues.bind(crypto);
    vi.stubGlobal('crypto', { getRandomValues });
    vi.stubGlobal('navigator', {});
    expect(await ended('unknown')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('stores the id of its key before it is sent', () => {
    const { id } = press();
    expect(Object.values(localStorage)).toContain(id);
  });

  it('is not sent if its key cannot be stored', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const send = vi.fn();
    await expect(withIdempotencyKey('createBatch', body, send)).rejects.toMatchObject({
      outcome: 'not-sent',
      title: 'The browser stores nothing for this page',
    });
    expect(send).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});
