/** The locks of a browser with several windows, as far as a page uses them. */
export function browserLocks() {
  const held = new Map<string, Promise<unknown>>();
  const request = (async (name: string, { signal }: LockOptions, use: () => unknown): Promise<void> => {
    await Promise.resolve(); // as in a browser, no lock is granted before `request` has returned
    const gone = new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    while (held.has(name)) {
      await Promise.race([held.get(name), gone]);
      if (signal?.aborted) throw new DOMException('aborted', 'AbortError');
    }
    const using = Promise.resolve(use());
    held.set(name, using);
    await using;
    held.delete(name);
  }) as LockManager['request'];
  return { request };
}
