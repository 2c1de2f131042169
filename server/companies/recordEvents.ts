import type { Storage } from '#server/storage/open.ts';
import { recordEventsTopic } from '#server/storage/records.ts';

/** The streams of pages that wait for changes to records of their workspace. */
export interface RecordEvents {
  /**
   * Calls `hear` with each of these ids when it changes (with any changed id of the workspace if `ids` is empty), and
   * `end` when the server closes; without `ids`, also when changes may have been missed. Returns a function that
   * unsubscribes.
   */
  follow(workspace: string, ids: readonly string[], hear: (id: string) => void, end: () => void): () => void;
  /** Calls `end` of all followers. */
  end(): void;
  /** The number of active followers. */
  followers(): number;
}

export function createRecordEvents({ subscribe }: Pick<Storage, 'subscribe'>): RecordEvents {
  const followers = new Set<() => void>();
  return {
    follow(workspace, ids, hear, end) {
      const unsubscribe = subscribe(recordEventsTopic(workspace), (message) => {
        if ('id' in message) {
          if (ids.length === 0 || ids.includes(message.id)) hear(message.id);
        } else if (ids.length > 0) ids.forEach(hear);
        // Which ids changed is unknown; a page that subscribes again reads everything that it waits for.
        else end();
      });
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
