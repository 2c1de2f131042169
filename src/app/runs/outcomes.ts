import { serverTime } from '#steps/kit/clock.ts';
import { isObjectOf, isTableOf, isText, keptValue } from '../api/storedValue.ts';
import { shared } from '../api/storage.ts';

/** The last result of a scenario in this browser: what went wrong, '' if nothing; `at` is an ISO time. */
interface Outcome {
  because: string;
  at: string;
}

const isOutcomes = isTableOf(isObjectOf({ because: isText, at: isText }));
const outcomes = keptValue<Partial<Record<string, Outcome>>>('rehearsed', shared, {}, isOutcomes);

/** The last result of each scenario in this browser, by id. */
export const useOutcomes = outcomes.use;

export const keepOutcome = (id: string, because: string): void =>
  outcomes.keep({ ...outcomes.read(), [id]: { because, at: serverTime() } });
