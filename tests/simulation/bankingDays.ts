import { dayNote, isProcessingDay, nextProcessingDay, schemes } from '#rules/bankingDays.ts';
import { dayOf } from '#contract/executionDate.ts';
import { statusOf } from '#contract/status.ts';
import type { RecordedBatch } from '#server/sandbox/recorded.ts';
import type { World } from './world.ts';

/** By which the companies of a world pay (`onboard.ts`). */
const scheme = schemes.find(({ name }) => name === 'Bacs')!; // of Britain
const hour = 60 * 60_000;
/** Time (ms) in which the service takes a batch through a step. */
const oneStep = 10_000;

/** When a world with banking days goes on: before the midnight at which a weekend begins, within it, and before its end. */
const weekend = ['2026-01-09T23:59:30Z', '2026-01-10T12:00Z', '2026-01-11T23:50Z'].map((time) => Date.parse(time));

/**
 * When the world of a seed goes on in which payments are processed on the days of their scheme only, one in twenty of those with
 * scripts; undefined in the others, which process on every day.
 */
export const weekendOf = (seed: number): number | undefined =>
  seed % 20 === 12 ? weekend[Math.floor(seed / 20) % weekend.length] : undefined;

/** A batch as the console shows it. */
export interface ShownBatch {
  batchId: string;
  status: string;
  /** Its execution date. */
  asked: string;
  /** Why it waits. */
  waits: readonly string[];
  /** The times at which its payments were completed. */
  completed: readonly string[];
}

const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Returns what is wrong with the days of batches that nothing delays, by the service's time (ms), a sentence each. */
export function wrongDays(batches: readonly ShownBatch[], now: number): string[] {
  const today = dayAt(now);
  return batches.flatMap(({ batchId, status, asked, waits, completed }) => {
    const wrong = completed
      .map(dayOf)
      .filter((day) => !isProcessingDay(scheme, day))
      .map((day) => `The batch ${batchId} was completed on ${day}, on which its scheme does not process.`);
    const day = dayOf(asked) > today ? dayOf(asked) : today;
    const isProcessing = statusOf(status) === 'Processing';
    const why = isProcessing ? dayNote(scheme, day) : '';
    if (waits.join(' ') !== why)
      wrong.push(`The batch ${batchId} is ${status} on ${today}, and its user reads: ${waits.join(' ') || 'nothing'}`);
    if (isProcessing && day === today && isProcessingDay(scheme, today))
      wrong.push(`The batch ${batchId} is Processing on ${today}, a day of its scheme.`);
    return wrong;
  });
}

/** What users read of the days of their batches in a world at rest, then on the next day of their scheme. */
export async function bankingDays(
  { api, scheduler, sandbox, setService }: Pick<World, 'api' | 'scheduler' | 'sandbox' | 'setService'>,
  batches: readonly RecordedBatch[],
): Promise<{ wrong: string[]; happened: string[] }> {
  const electronic = batches.filter(({ status }) => statusOf(status) !== 'PaymentFileAvailable');
  const look = async (): Promise<ShownBatch[]> => {
    const shown: ShownBatch[] = [];
    for (const { batchId } of electronic) {
      const { data, waits = [] } = await api.done('getBatch', { params: { batchId } });
      const completed = (data.payments ?? []).flatMap(({ paymentCompletedDate: at }) =>
        typeof at === 'string' ? [at] : [],
      );
      const asked = data['requestedExecutionDateTime'] as string; // as its user sent it
      shown.push({ batchId, status: data.status, asked, waits, completed });
    }
    return shown;
  };
  // A batch that was sent last is Processing for a moment, on every day.
  await scheduler.wait(oneStep);
  const atRest = await look();
  const now = sandbox.clock.now();
  const wrong = wrongDays(atRest, now);
  const waiting = atRest.filter(({ status }) => statusOf(status) === 'Processing').length;
  if (waiting > 0) {
    const next = Date.parse(nextProcessingDay(scheme, dayAt(now)));
    await setService(next + hour - now);
    await scheduler.wait(120_000);
    wrong.push(...wrongDays(await look(), sandbox.clock.now()));
  }
  return { wrong, happened: waiting > 0 ? ['a batch waits for a day of its scheme'] : [] };
}
