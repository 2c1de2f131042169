import { serverTime } from '#ui/clock.ts';
import { isObjectOf, isTableOf, isText, storedValue } from '#app/client/storedValue.ts';
import { localStore } from '#app/client/storage.ts';

/** The last result of a scenario in this browser: what went wrong, '' if nothing; `at` is an ISO time. */
interface Outcome {
  because: string;
  at: string;
}

const isOutcomes = isTableOf(isObjectOf({ because: isText, at: isText }));
const outcomes = storedValue<Partial<Record<string, Outcome>>>('rehearsed', localStore, {}, isOutcomes);

/** The last result of each scenario in this browser, by id. */
export const useOutcomes = outcomes.use;

export const keepOutcome = (id: string, because: string): void =>
  outcomes.keep({ ...outcomes.read(), [id]: { because, at: serverTime() } });
