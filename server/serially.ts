/** Runs what reads and then writes records one after the other; for short work on the store, never for a request. */
export function serial(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run);
    last = next.catch(() => undefined);
    return next;
  };
}
