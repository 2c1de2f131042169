// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimDrafts } from '#app/client/drafts.ts';
import { sessionStore, localStore, store } from '#app/client/storage.ts';

/** A browser that blocks storage for this site: each access throws. */
const blocked = () => {
  for (const name of ['localStorage', 'sessionStorage'] as const)
    vi.spyOn(window, name, 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
};
/** A browser whose storage is full. */
const full = () =>
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => vi.restoreAllMocks());

describe.each([
  ['blocked', blocked],
  ['full', full],
])('with browser storage that is %s, the console', (_, refuse) => {
  it('keeps values in memory until the page is left', () => {
    localStorage.setItem('kept', 'before');
    refuse();
    for (const storage of [localStore(), sessionStore()]) {
      storage.setItem('kept', 'since');
      expect(storage.getItem('kept')).toBe('since');
      storage.removeItem('kept');
      expect(storage.getItem('kept')).toBeNull();
    }
    expect(() => store('kept', 'since')).toThrow(expect.objectContaining({ outcome: 'not-sent' }));
    localStore().removeItem('kept');
  });

  it('starts', async () => {
    refuse();
    vi.resetModules();
    await import('#app/client/withIdempotencyKey.ts');
    claimDrafts('somebody');
    expect(sessionStore().getItem('subject')).toBe('somebody');
    sessionStore().removeItem('subject');
  });

  it.each(['colour-mode', 'jwtredirect'])('still runs public/%s.js', async (name) => {
    refuse();
    const root = { className: '' };
    const replace = vi.fn();
    const place = { hash: '#error=refused', pathname: '/api/jwtredirect', origin: 'http://console.test', replace };
    const script = readFileSync(`public/${name}.js`, 'utf8');
    const body = `return (async () => { ${script} })()`;
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the script as the browser runs it
    const run = new Function('location', 'history', 'matchMedia', 'document', body) as (
      ...of: unknown[]
    ) => Promise<void>;
    const media = (query: string) => ({ matches: query.includes('dark'), addEventListener: vi.fn() });
    await run(place, { replaceState: vi.fn() }, media, { documentElement: root });
    if (name === 'colour-mode') expect(root.className).toBe('dark');
    else expect(String(replace.mock.calls[0]?.[0])).toBe('http://console.test/getnetworkaccesstoken?outcome=refused');
  });
});

it('a stored value that another page has replaced is read from the browser’s storage', () => {
  store('kept', 'here');
  localStorage.setItem('kept', 'elsewhere');
  expect(localStore().getItem('kept')).toBe('elsewhere');
});
