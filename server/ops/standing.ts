import { inProgressFor } from '#server/payments/records.ts';
import type { Storage } from '#server/storage/open.ts';
import type { Standing } from './gauges.ts';
import type { Readiness } from './readiness.ts';

interface Needs {
  storage: Pick<Storage, 'connections' | 'workspaces' | 'quarantine' | 'clock'>;
  readiness: () => Promise<Readiness>;
  /** Absent if nobody signs in. */
  countSessions: (() => Promise<number>) | undefined;
}

/** Returns a function that reads how the console stands. It never rejects: what cannot be read is left out. */
export function createStanding({ storage, readiness, countSessions }: Needs): () => Promise<Standing> {
  const { workspaces, quarantine, clock } = storage;
  return async () => {
    const up = await readiness();
    const connections = storage.connections();
    const standing: Standing = { up, ...(connections && { connections }) };
    if (!up.store) return standing;
    const counted = Promise.all([
      workspaces.countUndecided(clock.now() - inProgressFor),
      quarantine.count(),
      countSessions?.(),
    ]);
    return counted.then(
      ([{ before: unknown, after: pending }, quarantined, sessions]) => ({
        ...{ ...standing, payments: { pending, unknown }, quarantined },
        ...(sessions !== undefined && { sessions }),
      }),
      () => standing,
    );
  };
}
