import { randomInt } from 'node:crypto';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { pause, type Clock } from '#server/clock.ts';
import { LRUCache } from 'lru-cache';
import { momentKinds, type SandboxMoment } from '#contract/sandboxMoment.ts';
import type { Prepared, Situation, Snapshot } from './api.ts';
import type { SandboxCredentials } from './credentials.ts';
import type { MovableClock } from './clock.ts';
import { shownPayment } from './payment/afterwards.ts';
import { batchRecords } from './payment/records.ts';
import type { RecordedBatch } from './recorded.ts';
import { weightOf } from './records/budget.ts';
import type { Recorder } from './records/recorder.ts';
import type { applicationIds } from './seeded.ts';
import { prepareSituation } from './situations.ts';
import type { SandboxStore } from './store/sandboxStore.ts';
import { placelessSnapshots } from './store/placelessSnapshot.ts';
import { addRows, rowsOf } from './store/snapshot.ts';
import { openTenantStore } from './store/tenantStore.ts';

interface Deps {
  credentials: SandboxCredentials;
  url: string;
  /** The receiver of webhooks; '' for none. */
  webhookUrl: string;
  store: SandboxStore;
  recorder: Pick<Recorder, 'calls' | 'webhooks' | 'replace'>;
  newId: () => string;
  machineClock: Pick<Clock, 'setTimeout'>;
  ids: Pick<ReturnType<typeof applicationIds>, 'state' | 'goTo'>;
  /** Returns the application as it is now. */
  application: () => {
    isSettled: () => boolean;
    clock: MovableClock;
    nextDue: () => Promise<number | undefined>;
    /** Leaves webhooks and faults out, or has them happen again. */
    mute: (muted: boolean) => void;
  };
  /** Empties the application, calls `fill`, and starts it anew. */
  renew: (fill: () => Promise<void>) => Promise<void>;
  /** Calls the application without leaving a record. */
  fetch: (path: string, init: RequestInit) => Promise<Response>;
}

/** Maximum number of snapshots that are kept for calls over HTTP. */
export const maximumSnapshots = 20;
/** Maximum memory (bytes) of these snapshots together; the oldest are dropped beyond it. */
const mostMemory = 256 * 1024 * 1024;

/** A sandbox in which nothing has happened. */
const empty: Snapshot = { version: 1, tables: {}, calls: [], webhooks: [], ids: 0 };

const noSnapshot = 'This is no snapshot: give what snapshot() has returned, unchanged';

/** Throws unless this is a snapshot. */
function requireSnapshot(saved: Snapshot): void {
  const { version, tables } = (saved ?? {}) as Partial<Snapshot>; // from a caller without types
  if (version !== 1 || typeof tables !== 'object') throw new Error(noSnapshot);
}

/** What tests do with one application besides calling it. */
export function createControl(deps: Deps) {
  const { credentials, store, recorder, ids, application, renew } = deps;

  /** Resolves when nothing is in progress. */
  async function settled(): Promise<void> {
    await othersTurn();
    while (!application().isSettled()) await pause(deps.machineClock, 1);
  }

  /** Moves the clock, and does what becomes due meanwhile at its time. */
  async function advance(ms: number): Promise<void> {
    if (!Number.isFinite(ms) || ms < 0)
      throw new Error(`${ms} is no time to pass: give the milliseconds, 0 or more, by which to advance the clock`);
    await settled();
    const { clock, nextDue } = application();
    const target = clock.steady() + ms;
    for (;;) {
      const due = await nextDue();
      if (due === undefined || due > target) break;
      await clock.move(Math.max(0, due - clock.steady()));
      await settled();
    }
    await clock.move(target - clock.steady());
    await settled();
  }

  const { withPlace, withoutPlace } = placelessSnapshots(deps.url, deps.webhookUrl);
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: what reads or replaces all that is stored, or moves the clock and puts it back. */
  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const done = last.then(run);
    last = done.catch(() => undefined);
    return done;
  }

  /** Leaves the clock as it was, also if a fault of the lab lets a call fail. */
  async function prepare(situation: Situation): Promise<Prepared> {
    const { clock, mute } = application();
    const { still, offset, everyDay = false } = clock.state();
    const start = clock.steady();
    mute(true);
    if (!still) await clock.stop();
    // A situation has the same batches on a weekend.
    if (!everyDay) await clock.process(true);
    let passed = 0;
    try {
      const prepared = await prepareSituation(situation, { ...deps, now: clock.now, pass: advance });
      if (situation === 'token-expired') passed = clock.steady() - start;
      return prepared;
    } finally {
      if (!everyDay) await clock.process(false);
      // A clock that runs does not lag behind by the time that this has taken.
      if (!still) await clock.run();
      await clock.move(still ? start + passed - clock.steady() : offset + passed - clock.state().offset);
      mute(false);
    }
  }

  async function restore(given: Snapshot): Promise<void> {
    requireSnapshot(given);
    await settled();
    const saved = withPlace(given);
    const before = await rowsOf(store, credentials.name);
    try {
      await renew(() => addRows(store, credentials.name, saved.tables));
    } catch (cause) {
      await renew(() => addRows(store, credentials.name, before));
      throw new Error(noSnapshot, { cause });
    }
    replaceRecords(saved);
  }

  function replaceRecords({ calls, webhooks, ...state }: Snapshot): void {
    recorder.replace({ calls, webhooks });
    ids.goTo(state);
  }

  return {
    /** The snapshots taken over HTTP, by id; they outlive a restore. */
    snapshots: new LRUCache<string, Snapshot>({
      max: maximumSnapshots,
      maxSize: mostMemory,
      sizeCalculation: weightOf,
    }),
    settled,
    advance,
    prepare: (situation: Situation): Promise<Prepared> => inTurn(() => prepare(situation)),
    snapshot: (): Promise<Snapshot> =>
      inTurn(async () => {
        await settled();
        return withoutPlace({
          version: 1,
          tables: await rowsOf(store, credentials.name),
          calls: recorder.calls(),
          webhooks: recorder.webhooks(),
          ...ids.state(),
        });
      }),
    restore: (saved: Snapshot): Promise<void> => inTurn(() => restore(saved)),
    /** What is stored, the time and the seed, for a file. Ids that follow from no seed follow from a new one there. */
    moment: (): Promise<SandboxMoment> =>
      inTurn(async () => {
        await settled();
        const { resources = [], ...others } = await rowsOf(store, credentials.name);
        const tables = { ...others, resources: resources.filter(({ kind }) => momentKinds.includes(kind as string)) }; // a text
        const { clock } = application();
        return {
          tables: tables as unknown as SandboxMoment['tables'], // read from these tables
          seed: randomInt(2 ** 31),
          ...ids.state(),
          clock: { now: new Date(clock.now()).toISOString(), still: clock.state().still },
        };
      }),
    /** Restores a moment from a file; what is due later is due as long after its time as it was. */
    open: ({ tables, seed, ids: issued, clock: { now, still } }: SandboxMoment): Promise<void> =>
      inTurn(async () => {
        await restore({ version: 1, tables, calls: [], webhooks: [], seed, ids: issued });
        const { clock } = application();
        await (still ? clock.stop() : clock.run());
        await clock.move(Date.parse(now) - clock.now());
      }),
    reset: (): Promise<void> => inTurn(() => restore(empty)),
    /** Deletes everything, also while something is in progress, which then writes nothing more. */
    empty: (): Promise<void> =>
      inTurn(async () => {
        await renew(() => Promise.resolve());
        replaceRecords(empty);
      }),
    async batches(): Promise<RecordedBatch[]> {
      const all = await batchRecords(openTenantStore(store, credentials.name)).list('');
      return all.map(({ batchId, companyId, idempotencyKey, status, createdAt: at, request, payments }) => ({
        batchId,
        companyId,
        externalId: request.externalId,
        idempotencyKey,
        status,
        at,
        payments: payments.flatMap((record, index) => {
          const payment = request.payments[index];
          if (!payment) return [];
          const { instructedAmount, creditor, remittanceInformation } = payment;
          return {
            paymentId: record.paymentId,
            status: shownPayment(payment, record).status,
            ...instructedAmount,
            creditorId: creditor.creditorId ?? '',
            reference: remittanceInformation?.reference ?? '',
            ...(record.returned && { returned: record.returned }),
          };
        }),
      }));
    },
  };
}

export type Control = ReturnType<typeof createControl>;
