/**
 * Runs functions of the same name one after the other; they may make requests. A name is forgotten once all of them
 * have ended.
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

/**
 * Runs functions one after the other that read and then write records. For short work on the store, never for requests.
 */
export function serial(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run);
    last = next.catch(() => undefined);
    return next;
  };
}
