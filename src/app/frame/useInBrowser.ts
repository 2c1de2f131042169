import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * Returns a constant that only the browser knows. The page rendered at build time, and the browser's first render,
 * which hydrates it, get `before`.
 */
export const useInBrowser = <T>(read: () => T, before: T): T => useSyncExternalStore(never, read, () => before);
