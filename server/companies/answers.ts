import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { DatabaseError } from '#server/storage/errors.ts';
import type { RecordKind } from '#server/storage/records.ts';
import type { CompanyContext } from './companyContext.ts';

/** When the service was asked: the process that asked, and how often it had asked before. */
interface Asked {
  by: string;
  turn: number;
}

/** What is stored of the service's last answer about a resource. What a user has written is never part of it. */
export interface ServiceAnswer {
  asked: Asked;
}

/** Identifies this process among the servers of a database, and among its own restarts. */
const self = randomUUID();
let turns = 0;

/** How often a read is repeated because its answer was overtaken by that of a later one. */
const maximumRepeats = 2;

/**
 * Whether a question was asked after the one whose answer is stored. Turns of one process are in order. Of another
 * process only an answer that was stored before the question is known to have been asked for before it.
 */
const isLater = (mine: Asked, stored: Asked | undefined, seen: Asked | undefined): boolean =>
  !stored || (stored.by === mine.by ? stored.turn < mine.turn : stored.by === seen?.by && stored.turn === seen.turn);

/**
 * Asks the service about a resource, and stores what `keep` returns for the answer, unless an answer that was asked for
 * later is stored already; then the service is asked again. `keep` runs in a transaction and receives what was stored
 * before. Returns the answer, and what is stored after it. No clock is used: those of several servers may differ.
 */
export async function askInOrder<Answer, Kept extends ServiceAnswer>(
  deps: Pick<CompanyContext, 'store'>,
  { kind, id, repeats = maximumRepeats }: { kind: RecordKind<Kept>; id: string; repeats?: number },
  ask: () => Promise<Answer>,
  keep: (answer: Answer, before: Kept | undefined, asked: Asked) => Promise<Kept>,
): Promise<{ answer: Answer; stored: Kept }> {
  const { store } = deps;
  const records = store.records(kind);
  const seen = (await records.get(id))?.asked;
  const asked: Asked = { by: self, turn: (turns += 1) };
  const answer = await ask();
  let unchanged: Kept | undefined;
  const { stored, isKept } = await store
    .transaction(async () => {
      const before = await records.get(id);
      if (before && !isLater(asked, before.asked, seen)) return { stored: before, isKept: false };
      const after = await keep(answer, before, asked);
      unchanged = before && isDeepStrictEqual({ ...before, asked }, after) ? before : undefined;
      await records.put(id, after);
      return { stored: after, isKept: true };
    })
    .catch((error: unknown) => {
      // On a full disk, what has not changed can still be read.
      if (!unchanged || !(error instanceof DatabaseError)) throw error;
      return { stored: unchanged, isKept: true };
    });
  if (isKept || repeats === 0) return { answer, stored };
  return askInOrder(deps, { kind, id, repeats: repeats - 1 }, ask, keep).catch(() => ({ answer, stored }));
}
