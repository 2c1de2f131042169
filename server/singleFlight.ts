/** A run that has not ended; `about` is what its first caller tells the others of it. */
interface Flight<Value, About> {
  result: Promise<Value>;
  about: About;
}

/** Runs something once for all concurrent callers with the same key, who share its result or its failure. */
export interface SingleFlight<Value, About = undefined> {
  /** Returns the result of the run under way, or else starts `load`. */
  run(key: string, load: () => Promise<Value>, ...about: About extends undefined ? [] : [About]): Promise<Value>;
  /** Returns the run that is under way; undefined if there is none. */
  underWay(key: string): Flight<Value, About> | undefined;
}

export function createSingleFlight<Value, About = undefined>(): SingleFlight<Value, About> {
  const flights = new Map<string, Flight<Value, About>>();
  return {
    run(key, load, ...[about]) {
      const known = flights.get(key);
      if (known) return known.result;
      const result = load().finally(() => flights.delete(key));
      flights.set(key, { result, about: about as About }); // given unless it is undefined
      return result;
    },
    underWay: (key) => flights.get(key),
  };
}
