import type { Choice } from './decisions.ts';
import { LineError } from './line.ts';
import type { World } from './world.ts';

interface Posted {
  batchId: string;
  status: string;
}

/** What a program may write into the list of batches that it has read. */
const rewritten: readonly ((list: readonly Posted[], choice: Choice) => readonly Posted[])[] = [
  () => [],
  (list) => list,
  (list) => list.toReversed(),
  (list, { chance }) => list.filter(() => chance(0.5)),
  (list, { chance }) => list.map((each) => (chance(0.5) ? { ...each, status: 'Failed' } : each)),
];

/**
 * A program that writes settings: it reads the list of batches, and writes another one, by which no invoice may become
 * payable again; and it changes which batch and which account are in use.
 */
export async function writesSettings({ scheduler, api }: World): Promise<void> {
  const choice = scheduler.of('a program that writes settings');
  const { between, chance, pick } = choice;
  /** What a call gives; undefined if the line loses it or the console refuses it. */
  async function maybe<T>(asking: Promise<{ ok: true; answer: T } | { ok: false }>): Promise<T | undefined> {
    try {
      const reply = await asking;
      return reply.ok ? reply.answer : undefined;
    } catch (error) {
      if (error instanceof LineError) return undefined;
      throw error;
    }
  }
  for (let turn = between(1, 4); turn > 0; turn -= 1) {
    await scheduler.wait(between(1, 60_000));
    if (chance(0.3)) {
      const key = pick(['batchId', 'accountId', 'dataSetId'] as const);
      await maybe(api.call('setSetting', { body: { key, value: crypto.randomUUID() } }));
      continue;
    }
    const posted = await maybe(api.call('getPostedBatches'));
    if (!posted) continue;
    const list = JSON.parse(posted.data) as Posted[]; // of the contract
    await scheduler.wait(between(1, 5000));
    const value = JSON.stringify(pick(rewritten)(list, choice));
    await maybe(api.call('setSetting', { body: { key: 'postedBatches', value } }));
  }
}
