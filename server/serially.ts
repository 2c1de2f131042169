/**
 * Runs what has the same name one after the other; a request may be among it. Nothing is kept of a name once all of it
 * has ended.
 */
export function serialByName(): <T>(name: string, run: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (name, run) => {
    const next = (last.get(name) ?? Promise.resolve()).then(run);
    const ended = next.catch(() => undefined);
    last.set(name, ended);
    try {
      return await next;
    } finally {
      if (last.get(name) === ended) last.delete(name);
    }
  };
}

/** Runs what reads and then writes records one after the other; for short work on the store, never for a request. */
export function serial(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run);
    last = next.catch(() => undefined);
    return next;
  };
}
