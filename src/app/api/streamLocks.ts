/** The browser's locks; undefined where they are not supported, as outside of secure contexts. */
export type Locks = Pick<LockManager, 'request'> | undefined;

/** A lock that permits its holder to keep a stream open. */
export interface Slot {
  held: () => boolean;
  giveBack: () => void;
}

/** The Web Locks of this browser. Without a browser there is no navigator. */
export const locksOfBrowser = (): Locks =>
  typeof navigator === 'undefined' ? undefined : (navigator as Partial<Navigator>).locks;

/**
 * Requests one of the locks `names`, which all windows of a browser share: over HTTP/1.1 a browser has six connections
 * per origin, some of which requests need. Calls `granted` once the slot is held. Without Web Locks it is held
 * immediately, without calling `granted`; if the browser refuses the locks, it is never held.
 */
export function slotOf(names: readonly string[], locks: Locks, granted: () => void): Slot {
  if (!locks) return { held: () => true, giveBack: () => undefined };
  const waiting = new AbortController();
  let given = false;
  let release: (() => void) | undefined;
  const hold = () => {
    if (given || release) return undefined; // no longer needed
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
