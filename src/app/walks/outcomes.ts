import { serverTime } from '#steps/kit/clock.ts';
import { keptValue } from '../keptValue.ts';
import { shared } from '../storage.ts';

/** How a scenario went last in this browser: why it went wrong, '' if it was right; `at` is an ISO time. */
interface Outcome {
  because: string;
  at: string;
}

const outcomes = keptValue<Partial<Record<string, Outcome>>>('rehearsed', shared, {});

/** How each scenario went last in this browser, by its id. */
export const useOutcomes = outcomes.use;

export const keepOutcome = (id: string, because: string): void =>
  outcomes.keep({ ...outcomes.read(), [id]: { because, at: serverTime() } });
