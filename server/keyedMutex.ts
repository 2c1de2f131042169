/**
 * Returns a function that runs functions of the same name one at a time; they may make requests. A name is forgotten
 * when its last function has ended.
 */
export function createKeyedMutex(): <T>(name: string, run: () => Promise<T>) => Promise<T> {
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
