import { inProgressFor } from '#server/payments/undecided.ts';
import type { Storage } from '#server/storage/open.ts';
import type { GaugeValues } from './gauges.ts';
import type { Readiness } from './readiness.ts';

interface Needs {
  storage: Pick<Storage, 'connections' | 'workspaces' | 'quarantine' | 'clock'>;
  readiness: () => Promise<Readiness>;
  /** Absent if nobody signs in. */
  countSessions: (() => Promise<number>) | undefined;
}

/** Returns a function that reads the values of the gauges. It never rejects: what cannot be read is left out. */
export function createGaugeReader({ storage, readiness, countSessions }: Needs): () => Promise<GaugeValues> {
  const { workspaces, quarantine, clock } = storage;
  return async () => {
    const up = await readiness();
    const connections = storage.connections();
    const values: GaugeValues = { up, ...(connections && { connections }) };
    if (!up.store) return values;
    const counted = Promise.all([
      workspaces.countUndecided(clock.now() - inProgressFor),
      quarantine.count(),
      countSessions?.(),
    ]);
    return counted.then(
      ([{ before: unknown, after: pending }, quarantined, sessions]) => ({
        ...values,
        payments: { pending, unknown },
        quarantined,
        ...(sessions !== undefined && { sessions }),
      }),
      () => values,
    );
  };
}
