import { LRUCache } from 'lru-cache';

/** Identifies a call of the service for both the console and the sandbox. */
export interface MarkedCall {
  interactionId: string;
  method: string;
  path: string;
}

const keyOf = ({ interactionId, method, path }: MarkedCall): string => `${interactionId} ${method} ${path}`;

/**
 * Marks of calls that the embedded sandbox's fault lab affects, as in the lab's header, for answers that never arrive.
 * The sandbox notes a mark before it closes the connection.
 */
export function createMarks() {
  const kept = new LRUCache<string, string>({ max: 1000 });
  return {
    note: (call: MarkedCall, mark: string): void => void kept.set(keyOf(call), mark),
    /** Removes and returns the mark of a call that has ended; '' if it has none. */
    take(call: MarkedCall): string {
      const mark = kept.get(keyOf(call)) ?? '';
      kept.delete(keyOf(call));
      return mark;
    },
  };
}

export type Marks = ReturnType<typeof createMarks>;
