import { AsyncLocalStorage } from 'node:async_hooks';

/** A value that all of a function's work can ask for, also after it has waited. */
export interface Context<Value> {
  run<T>(value: Value, work: () => Promise<T>): Promise<T>;
  /** The value of the innermost `run` that this work belongs to; undefined outside of one, and after its end. */
  get(): Value | undefined;
}

/**
 * Creates a context. While nothing runs in it, it is switched off: what Node does to follow each promise takes as long as
 * a tenth of a request, of every request.
 */
export function createContext<Value>(): Context<Value> {
  const storage = new AsyncLocalStorage<Value>();
  let running = 0;
  return {
    async run(value, work) {
      running += 1;
      try {
        return await storage.run(value, work);
      } finally {
        running -= 1;
        if (running === 0) storage.disable();
      }
    },
    get: () => storage.getStore(),
  };
}
