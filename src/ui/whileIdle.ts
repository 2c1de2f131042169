/**
 * Works through items while the browser has nothing else to do, so that no key waits for it; not at all in a browser that
 * cannot say so. Returns the function that ends it.
 */
export function whileIdle<Item>(items: readonly Item[], work: (item: Item) => void): () => void {
  if (!('requestIdleCallback' in window)) return () => undefined;
  let at = 0;
  const proceed = (idle: IdleDeadline) => {
    for (; at < items.length && idle.timeRemaining() > 1; at += 1) work(items[at]!); // at is below the length
    if (at < items.length) waiting = requestIdleCallback(proceed);
  };
  let waiting = requestIdleCallback(proceed);
  return () => cancelIdleCallback(waiting);
}
