import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * Returns what only the browser knows and what does not change. The page rendered at build time has `before`, and so has
 * the first render in the browser, which takes that page over.
 */
export const useInBrowser = <T>(read: () => T, before: T): T => useSyncExternalStore(never, read, () => before);
