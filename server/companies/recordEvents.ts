import type { Storage } from '#server/storage/open.ts';
import { recordEventsTopic } from '#server/storage/records.ts';

/** The streams of pages that wait for changes to records of their workspace. */
export interface RecordEvents {
  /**
   * Calls `onEvent` with the id of each record that changes, and `onEnd` when the server closes or changes may have been
   * missed: a page that subscribes again reads everything that it waits for. Returns a function that unsubscribes.
   */
  subscribe(workspace: string, onEvent: (id: string) => void, onEnd: () => void): () => void;
  /** Calls `onEnd` of all subscribers. */
  endSubscriptions(): void;
  /** The number of active subscribers. */
  subscribers(): number;
}

export function createRecordEvents(storage: Pick<Storage, 'subscribe'>): RecordEvents {
  const ends = new Set<() => void>();
  return {
    subscribe(workspace, onEvent, onEnd) {
      const unsubscribe = storage.subscribe(recordEventsTopic(workspace), (message) =>
        'id' in message ? onEvent(message.id) : onEnd(),
      );
      ends.add(onEnd);
      return () => {
        unsubscribe();
        ends.delete(onEnd);
      };
    },
    endSubscriptions: () => ends.forEach((end) => end()),
    subscribers: () => ends.size,
  };
}
