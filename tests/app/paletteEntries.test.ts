import { describe, expect, it } from 'vitest';
import { actionsOf, recordsOf } from '#app/palette/paletteEntries.ts';
import { rankOf } from '#app/palette/searchRank.ts';
import { factsAfter, withFacts } from '#tests/support/facts.ts';
import { batchRecord, creditor, debtor } from '#tests/support/fixtures.ts';

const facts = withFacts(factsAfter('authorisation'), {
  settings: {
    ...factsAfter('authorisation').settings,
    postedBatches: JSON.stringify([batchRecord, { ...batchRecord, batchId: 'batch-2' }]),
  },
});
const blocked = (given = facts): Record<string, string | undefined> =>
  Object.fromEntries(actionsOf(given).map(({ act, to = '', blocked: why }) => [act ?? to, why]));

describe('the command palette', () => {
  it('links to batches, newest first, and to debtors and creditors by name', () => {
    const records = recordsOf(facts, [debtor], [creditor]);
    expect(records.map(({ title }) => title)).toEqual([
      'Batch batch-2',
      'Batch batch-1',
      'Debtor Example Trading Ltd',
      'Creditor Paper & Sons',
    ]);
    expect(records[0]?.to).toBe('/getbatch?batchId=batch-2');
    expect(records[2]?.to).toBe('/debtorsquery?q=debtor-1');
  });

  it('lists no records if the stored lists cannot be parsed', () => {
    const broken = withFacts(facts, { settings: { ...facts.settings, postedBatches: '{', subscriptions: '7' } });
    expect(recordsOf(broken, [], [])).toEqual([]);
  });

  it('shortens ids, and ranks whole words before substrings and scattered letters', () => {
    const id = '5071c811-1f15-4fc5-a6d1-000000000001';
    const long = withFacts(facts, {
      settings: { ...facts.settings, postedBatches: JSON.stringify([{ ...batchRecord, batchId: id }]) },
    });
    expect(recordsOf(long, [], [])[0]?.title).toBe('Batch 5071c811…0001');
    const rank = (text: string) => rankOf(text, 'pay', () => 1);
    const texts = ['Pippinhay Direct', 'Electronic Payments', 'Payments list', 'Party'];
    expect(texts.sort((a, b) => rank(b) - rank(a))).toEqual(['Payments list', 'Electronic Payments', 'Pippinhay Direct', 'Party']); // prettier-ignore
    expect(rankOf('Home', 'zz', () => 0)).toBe(0);
  });

  it('gives the reason for each disabled action (behaviour 10.10.2)', () => {
    expect(blocked()).toEqual({ copyToken: '', suspend: '', '/sandbox#lab-empty': '', '/sandbox#situation-file': '' });
    expect(blocked(factsAfter('nothing'))).toEqual({
      copyToken: 'There is no company yet',
      suspend: 'There is no subscription yet',
      '/sandbox#lab-empty': '',
      '/sandbox#situation-file': '',
    });
    expect(blocked(withFacts(factsAfter('subscription'), { environment: 'live' }))).toMatchObject({
      suspend: 'Only an Authorised subscription can be suspended; this one is AwaitingAuthorisation',
      '/sandbox#lab-empty': 'The live service cannot be emptied',
      '/sandbox#situation-file': 'Only a sandbox has situations',
    });
  });
});
