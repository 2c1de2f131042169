import { expect, it } from 'vitest';
import { journeyOrder } from '#machines/journeys.ts';
import { plain } from '#runner/file.ts';
import { path, walkerOn } from '#tests/support/journeyRunner.ts';

const ends = (walked: readonly { journey: string; end: string; because: string }[]) =>
  walked.map(({ journey, end, because }) => ({ journey, end, because }));
const done = (journeys: readonly string[]) => journeys.map((journey) => ({ journey, end: 'done', because: '' }));

it('the journey runner completes the guided path and every other journey with a user’s events (behaviour 10.19.1)', async () => {
  const { walker, server } = await walkerOn();
  expect(ends(await walker.guided())).toEqual(done(path));
  const { settings, batches } = await walker.facts();
  expect(batches).toBe(1);
  const { data: batch } = await server.done('getBatch', { params: { batchId: settings.batchId } });
  expect(batch.status).toBe('Completed');
  expect(await walker.guided()).toEqual([]);

  // The new subscription of a bank is the current one, without debtors and creditors.
  const byBank = 'bankSubscription';
  const others = [...journeyOrder.filter((id) => !path.includes(id) && id !== byBank), byBank] as const;
  expect(ends(await walker.all(others.map(plain)))).toEqual(done(others));
});
