import { LRUCache } from 'lru-cache';
import type { Engine } from './engine.ts';

/** Maximum number of namespaces whose version is known; any other has a new one. */
const most = 10_000;

/** The versions of namespaces, to keep what was read of one while others are written. */
export interface Versions {
  /** Another one as soon as a write to the namespace is confirmed, or anybody else has written. */
  of(namespace: string): Promise<string>;
  /** Reports that this process has written to a namespace, or may have. */
  written(namespace: string): void;
  /** The same of all namespaces. */
  allWritten(): void;
}

export function createVersions({ foreign, versionOf }: Pick<Engine, 'foreign' | 'versionOf'>): Versions {
  const numbers = new LRUCache<string, number>({ max: most });
  let last = 0;
  /** No number is given twice. */
  function numberOf(namespace: string): number {
    const number = numbers.get(namespace) ?? (last += 1);
    numbers.set(namespace, number);
    return number;
  }
  return {
    of: async (namespace) => `${await foreign()} ${await versionOf(namespace)} ${numberOf(namespace)}`,
    written: (namespace) => void numbers.delete(namespace),
    allWritten: () => numbers.clear(),
  };
}
