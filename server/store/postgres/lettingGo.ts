import { serialByName } from '#server/serially.ts';

type Free = () => Promise<unknown>;

/**
 * Releases what this server holds (locks and claims). A release that fails stays pending until `again` succeeds;
 * otherwise other servers would wait for it until this one ends.
 */
export function createLettingGo(onError: (error: unknown) => void) {
  const inTurn = serialByName();
  /** Releases that have failed so far. */
  const owed = new Map<string, Free>();

  async function letGo(name: string, free: Free): Promise<void> {
    owed.set(name, free);
    try {
      await free();
      owed.delete(name);
    } catch (error) {
      onError(error);
    }
  }

  return {
    /**
     * Runs a function that takes a lock and works under it, then releases the lock. Calls of the same name run one at a
     * time.
     */
    whileHeld<T>(name: string, run: () => Promise<T>, free: Free): Promise<T> {
      return inTurn(name, async () => {
        owed.delete(name);
        try {
          return await run();
        } finally {
          await letGo(name, free);
        }
      });
    },
    /**
     * Runs a function that takes a claim; releases the claim if the function fails, because the database may have
     * recorded it nonetheless.
     */
    taking<T>(name: string, run: () => Promise<T>, free: Free): Promise<T> {
      return inTurn(name, async () => {
        owed.delete(name);
        try {
          return await run();
        } catch (error) {
          await letGo(name, free);
          throw error;
        }
      });
    },
    /** Releases a claim; never rejects. */
    letGo: (name: string, free: Free): Promise<void> => inTurn(name, () => letGo(name, free)),
    /** Retries the failed releases. */
    again(): void {
      for (const [name, free] of owed)
        void inTurn(name, async () => {
          if (owed.get(name) === free) await letGo(name, free);
        });
    },
  };
}

export type LettingGo = ReturnType<typeof createLettingGo>;
