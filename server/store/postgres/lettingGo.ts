import { serialByName } from '#server/serially.ts';

type Free = () => Promise<unknown>;

/**
 * Lets go of what this server holds, again and again until the database has taken it: otherwise other servers would wait
 * for it as long as this one lives.
 */
export function createLettingGo(onError: (error: unknown) => void) {
  const inTurn = serialByName();
  /** What could not be let go of yet. */
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
    /** Runs a function that holds something, and then lets go of it; one after the other of the same name. */
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
    /** Runs a function that takes something; lets go of it if that fails, because it may be taken all the same. */
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
    /** Lets go of something; never rejects. */
    letGo: (name: string, free: Free): Promise<void> => inTurn(name, () => letGo(name, free)),
    /** Tries once more what has failed before. */
    again(): void {
      for (const [name, free] of owed)
        void inTurn(name, async () => {
          if (owed.get(name) === free) await letGo(name, free);
        });
    },
  };
}

export type LettingGo = ReturnType<typeof createLettingGo>;
