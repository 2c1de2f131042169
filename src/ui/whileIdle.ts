/** Items of one turn, and how long (ms) a browser that has no idle time puts a turn off. */
const [least, timeout] = [200, 200];

/**
 * Works through items in turns, while the browser has nothing else to do, so that no key waits for all of them; not at all in
 * a browser that cannot say so. Returns the function that ends it.
 */
export function whileIdle<Item>(items: readonly Item[], work: (item: Item) => void): () => void {
  if (!('requestIdleCallback' in window)) return () => undefined;
  let at = 0;
  const proceed = (idle: IdleDeadline) => {
    do {
      for (const item of items.slice(at, at + least)) work(item);
      at += least;
    } while (at < items.length && idle.timeRemaining() > 5);
    if (at < items.length) waiting = requestIdleCallback(proceed, { timeout });
  };
  let waiting = requestIdleCallback(proceed, { timeout });
  return () => cancelIdleCallback(waiting);
}
