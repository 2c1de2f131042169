import type { Storage } from '#server/storage/open.ts';
import { recordEventsTopic } from '#server/storage/records.ts';

/** The streams of pages that wait for changes to records of their workspace. */
export interface RecordEvents {
  /**
   * Calls `hear` with the id of each record that changes, and `end` when the server closes or changes may have been
   * missed: a page that subscribes again reads everything that it waits for. Returns a function that unsubscribes.
   */
  follow(workspace: string, hear: (id: string) => void, end: () => void): () => void;
  /** Calls `end` of all followers. */
  end(): void;
  /** The number of active followers. */
  followers(): number;
}

export function createRecordEvents({ subscribe }: Pick<Storage, 'subscribe'>): RecordEvents {
  const followers = new Set<() => void>();
  return {
    follow(workspace, hear, end) {
      const unsubscribe = subscribe(recordEventsTopic(workspace), (message) =>
        'id' in message ? hear(message.id) : end(),
      );
      followers.add(end);
      return () => {
        unsubscribe();
        followers.delete(end);
      };
    },
    end: () => followers.forEach((end) => end()),
    followers: () => followers.size,
  };
}
