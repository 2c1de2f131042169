import { LRUCache } from 'lru-cache';

/** Parts of the latest URLs. */
const parts = new LRUCache<string, Pick<URL, 'origin' | 'pathname' | 'search'>>({ max: 100 });

/** Returns the parts of a URL that a request needs. */
export function partsOf(url: string) {
  const known = parts.get(url);
  if (known) return known;
  const { origin, pathname, search } = new URL(url);
  parts.set(url, { origin, pathname, search });
  return { origin, pathname, search };
}
