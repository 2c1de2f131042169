import type { Metrics } from '#server/metrics/metrics.ts';
import type { Engine } from './engine.ts';

/** Records one operation of the store when it has ended: its name, whether it failed, and its duration (ms). */
type Told = Metrics['store'];

/** Runs an operation and records it. `isFailure`: whether an error is the store's own. */
async function told<T>(tell: Told, name: string, run: () => Promise<T>, isFailure = () => true): Promise<T> {
  const started = performance.now(); // most operations take less than the clock's millisecond
  let failed = false;
  try {
    return await run();
  } catch (error) {
    failed = isFailure();
    throw error;
  } finally {
    tell(name, failed, performance.now() - started);
  }
}

/** Wraps each function of a group so that it is recorded. */
const each = <Group extends object>(tell: Told, prefix: string, group: Group): Group =>
  Object.fromEntries(
    Object.entries(group as Record<string, (...args: unknown[]) => Promise<unknown>>).map(([name, run]) => [
      name,
      (...args: unknown[]) => told(tell, `${prefix}.${name}`, () => run.apply(group, args)),
    ]),
  ) as Group; // the same names

/**
 * Returns the same engine, with operations recorded under the names of their functions, such as `entries.write`. The
 * duration of `inTurn` includes the function that it runs; that function's failure is not recorded as the store's.
 */
export function measuredEngine(engine: Engine, tell: Told): Engine {
  return {
    isShared: engine.isShared,
    entries: each(tell, 'entries', engine.entries),
    claims: each(tell, 'claims', engine.claims),
    sessions: each(tell, 'sessions', engine.sessions),
    version: (name) => told(tell, 'version', () => engine.version(name)),
    versionOf: (namespace) => told(tell, 'versionOf', () => engine.versionOf(namespace)),
    asOne: (run) => engine.asOne(run),
    foreign: () => told(tell, 'foreign', () => engine.foreign()),
    async inTurn(name, run) {
      let hasRun = true;
      const noting = async () => {
        hasRun = false;
        const result = await run();
        hasRun = true;
        return result;
      };
      return told(
        tell,
        'inTurn',
        () => engine.inTurn(name, noting),
        () => hasRun,
      );
    },
    whileHeld: (name, run) => engine.whileHeld(name, run),
    isInTurn: () => engine.isInTurn(),
    afterwards: (run) => engine.afterwards(run),
    numberFrom: (least) => engine.numberFrom(least),
    limit: (name, rate) => engine.limit(name, rate),
    announce: (notice) => told(tell, 'announce', () => engine.announce(notice)),
    listen: (hear) => engine.listen(hear),
    insistOnKeeping: () => told(tell, 'insistOnKeeping', () => engine.insistOnKeeping()),
    close: () => engine.close(),
  };
}
