import { isDeepStrictEqual } from 'node:util';
import { DatabaseError } from '#server/storage/errors.ts';
import type { RecordKind } from '#server/storage/records.ts';
import type { Store } from './companyStore.ts';
import type { Asked, ServiceAnswer } from './records.ts';

/** How often a read is repeated because its answer was overtaken by that of a later one. */
const maximumRepeats = 2;

/** The questions about one resource that are under way in this process, and the turn of the latest that was answered. */
interface UnderWay {
  questions: number;
  answered: number;
}

/**
 * Whether a question was asked after the one whose answer is stored. Turns of one process are in order. Of another
 * process only an answer that was stored before the question is known to have been asked for before it.
 */
const isLater = (mine: Asked, stored: Asked, seen: Asked | undefined): boolean =>
  stored.by === mine.by ? stored.turn < mine.turn : stored.by === seen?.by && stored.turn === seen.turn;

/** What is asked about, and how often the question may be repeated. */
interface Question<Kept> {
  kind: RecordKind<Kept>;
  id: string;
  repeats?: number;
}

/**
 * Creates the function by which all calls of this process read resources; its id tells it from other servers and from
 * its own restarts.
 */
export function createAskInOrder(newId: () => string) {
  const self = newId();
  let turns = 0;
  const underWay = new Map<string, UnderWay>();

  /** Runs a function with the questions about a resource; they are forgotten when none is under way any more. */
  async function withQuestions<T>(resource: string, run: (questions: UnderWay) => Promise<T>): Promise<T> {
    const own = underWay.get(resource) ?? { questions: 0, answered: 0 };
    underWay.set(resource, own);
    own.questions += 1;
    try {
      return await run(own);
    } finally {
      own.questions -= 1;
      if (own.questions === 0) underWay.delete(resource);
    }
  }

  /**
   * Asks the service about a resource, and stores what `keep` returns for the answer, unless an answer that was asked for
   * later is stored already; then the service is asked again. `keep` runs in a transaction and receives what was stored
   * before. Returns the answer, and what is stored after it. No clock is used: those of several servers may differ.
   *
   * An answer that says nothing new changes the order only. This process remembers that as long as it matters, so that only
   * where several servers use the database it is stored.
   */
  return async function askInOrder<Answer, Kept extends ServiceAnswer>(
    store: Store,
    { kind, id, repeats = maximumRepeats }: Question<Kept>,
    ask: () => Promise<Answer>,
    keep: (answer: Answer, before: Kept | undefined, asked: Asked) => Promise<Kept>,
  ): Promise<{ answer: Answer; stored: Kept }> {
    const records = store.records(kind);
    const resource = JSON.stringify([store.workspace, store.companyKey, kind.kind, id]);
    const asked = await withQuestions(resource, async (questions) => {
      const seen = store.isShared ? (await records.get(id))?.asked : undefined;
      const mine: Asked = { by: self, turn: (turns += 1) };
      const answer = await ask();
      let answeredBefore = questions.answered;
      const isOvertaken = (stored: Asked): boolean =>
        mine.turn < questions.answered || (store.isShared && !isLater(mine, stored, seen));
      let unchanged: Kept | undefined;
      try {
        const outcome = await store.transaction(async () => {
          // Others may have been answered while this waited for its turn.
          if (questions.answered !== mine.turn) answeredBefore = questions.answered;
          const before = await records.get(id);
          if (before && isOvertaken(before.asked)) return { stored: before, isKept: false };
          const after = await keep(answer, before, mine);
          unchanged = before && isDeepStrictEqual({ ...before, asked: mine }, after) ? before : undefined;
          if (!unchanged || store.isShared) await records.put(id, after);
          questions.answered = mine.turn;
          return { stored: after, isKept: true };
        });
        return { answer, ...outcome };
      } catch (error) {
        if (questions.answered === mine.turn) questions.answered = answeredBefore;
        // On a full disk, what has not changed can still be read.
        if (!unchanged || !(error instanceof DatabaseError)) throw error;
        return { answer, stored: unchanged, isKept: true };
      }
    });
    const { answer, stored, isKept } = asked;
    if (isKept || repeats === 0) return { answer, stored };
    return askInOrder(store, { kind, id, repeats: repeats - 1 }, ask, keep).catch(() => ({ answer, stored }));
  };
}

export type AskInOrder = ReturnType<typeof createAskInOrder>;
