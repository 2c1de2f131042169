import { LRUCache } from 'lru-cache';

/** Identifies a call of the service for both the console and the sandbox. */
export interface FaultedCall {
  interactionId: string;
  method: string;
  path: string;
}

const keyOf = ({ interactionId, method, path }: FaultedCall): string => JSON.stringify([interactionId, method, path]);

/**
 * Marks of calls that the embedded sandbox's fault lab affects, as in the lab's header, for answers that never arrive.
 * The sandbox notes a mark before it closes the connection.
 */
export function createInjectedFaults() {
  const faults = new LRUCache<string, string>({ max: 1000 });
  return {
    note: (call: FaultedCall, mark: string): void => void faults.set(keyOf(call), mark),
    /** Removes and returns the mark of a call that has ended; '' if it has none. */
    take(call: FaultedCall): string {
      const mark = faults.get(keyOf(call)) ?? '';
      faults.delete(keyOf(call));
      return mark;
    },
  };
}

export type InjectedFaults = ReturnType<typeof createInjectedFaults>;
