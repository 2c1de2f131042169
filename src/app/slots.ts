/** The browser's locks; undefined where it has none, as outside of secure contexts. */
export type Locks = Pick<LockManager, 'request'> | undefined;

/** The right to keep a stream open. */
export interface Slot {
  held: () => boolean;
  giveBack: () => void;
}

/** The locks that the current page has in this browser. Outside of browsers there is no navigator. */
export const locksOfBrowser = (): Locks =>
  typeof navigator === 'undefined' ? undefined : (navigator as Partial<Navigator>).locks;

/**
 * Waits for one of the locks `names`, which all windows of a browser share: over HTTP/1.1 it has six connections per
 * origin, of which the requests need some. Calls `granted` once the slot is held. Without locks it is held at once, and
 * `granted` is not called; if the browser refuses the locks, it is never held.
 */
export function slotOf(names: readonly string[], locks: Locks, granted: () => void): Slot {
  if (!locks) return { held: () => true, giveBack: () => undefined };
  const waiting = new AbortController();
  let given = false;
  let release: (() => void) | undefined;
  const hold = () => {
    if (given || release) return undefined; // not needed any longer
    return new Promise<void>((resolve) => {
      release = resolve;
      waiting.abort();
      granted();
    });
  };
  void Promise.allSettled(names.map(async (name) => locks.request(name, { signal: waiting.signal }, hold)));
  return {
    held: () => release !== undefined && !given,
    giveBack() {
      given = true;
      waiting.abort();
      release?.();
    },
  };
}
