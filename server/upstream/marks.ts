import { LRUCache } from 'lru-cache';

/** A call of the service, as both sides know it. */
export interface MarkedCall {
  interactionId: string;
  method: string;
  path: string;
}

const keyOf = ({ interactionId, method, path }: MarkedCall): string => `${interactionId} ${method} ${path}`;

/**
 * What the fault lab of the embedded sandbox does to calls, by the words of its header: an answer that never arrives
 * cannot say it itself. The sandbox notes it before it closes the connection.
 */
export function createMarks() {
  const kept = new LRUCache<string, string>({ max: 1000 });
  return {
    note: (call: MarkedCall, mark: string): void => void kept.set(keyOf(call), mark),
    /** The mark of a call that has ended, which is then forgotten; '' if it has none. */
    take(call: MarkedCall): string {
      const mark = kept.get(keyOf(call)) ?? '';
      kept.delete(keyOf(call));
      return mark;
    },
  };
}

export type Marks = ReturnType<typeof createMarks>;
