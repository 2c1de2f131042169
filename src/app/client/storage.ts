import type { Problem } from '#contract/problem.ts';

/** The part of the browser's storage that the page uses. */
type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface Places {
  /** Shared by all tabs; survives a reload. */
  shared: Kept;
  /** Belongs to this tab. */
  tab: Kept;
}

let given: Places | null = null;

/** Replaces the browser's storage, for code that runs without a browser; null restores it. */
export const setStorage = (places: Places | null): void => {
  given = places;
};

/** Runs a function that accesses a storage; undefined if the browser has none for this site, or if it is full. */
function tried<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

/** Wraps a storage: a value that the browser refuses to store is kept in memory until the page is left. */
function lenient(storage: () => Kept): Kept {
  const refused = new Map<string, string>();
  return {
    getItem: (slot) => refused.get(slot) ?? tried(() => storage().getItem(slot)) ?? null,
    setItem(slot, value) {
      refused.set(slot, value);
      tried(() => {
        storage().setItem(slot, value);
        refused.delete(slot);
      });
    },
    removeItem(slot) {
      refused.delete(slot);
      tried(() => storage().removeItem(slot));
    },
  };
}

const ofBrowser: Places = { shared: lenient(() => localStorage), tab: lenient(() => sessionStorage) };

export const localStore = (): Kept => (given ?? ofBrowser).shared;
export const sessionStore = (): Kept => (given ?? ofBrowser).tab;

/** Whether a value of this tab is stored in the browser, not only in memory. */
export const outlastsReload = (slot: string): boolean =>
  tried(() => (given?.tab ?? sessionStorage).getItem(slot)) != null;

const unkept: Problem = {
  type: 'about:blank',
  title: 'The browser stores nothing for this page',
  status: 0,
  detail:
    'Each change needs an idempotency key that the browser stores. Allow this site to store data, or free space for it.',
  code: 'store-failed',
  outcome: 'not-sent',
};

/**
 * Stores the key of a write where all tabs and a reload find it. Throws a Problem if the browser refuses to store it.
 */
export function store(slot: string, key: string): void {
  localStore().setItem(slot, key);
  if (tried(() => (given?.shared ?? localStorage).getItem(slot)) !== key) throw unkept; // eslint-disable-line @typescript-eslint/only-throw-error -- effects reject with problems (machines/lib/effect.ts)
}
