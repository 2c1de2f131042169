/** Loads a value; concurrent callers with the same key share one load, and its failure. */
export type SingleFlight<Value> = (key: string, load: () => Promise<Value>) => Promise<Value>;

export function createSingleFlight<Value>(): SingleFlight<Value> {
  const loading = new Map<string, Promise<Value>>();
  return (key, load) => {
    const underWay = loading.get(key) ?? load().finally(() => loading.delete(key));
    loading.set(key, underWay);
    return underWay;
  };
}
