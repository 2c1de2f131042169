import { expect, it } from 'vitest';
import { calls, type CallName } from '#contract/calls.ts';
import type { RecordedBatch } from '#server/sandbox/recorded.ts';
import type { Exchange } from './line.ts';
import { wrongOfRehearsal } from './rehearsal.ts';

const answered = (who: string, call: CallName, companyKey: string, answer: object): Exchange => ({
  who,
  workspace: '',
  method: calls[call].method,
  path: calls[call].path,
  key: '',
  asked: '',
  body: '{}',
  status: 200,
  text: JSON.stringify(answer),
  companyKey,
  sentAt: 0,
  at: 1,
});
const rehearsal = [
  answered('a rehearsal', 'createCompany', 'o/c', { companyId: 'c' }),
  answered('a rehearsal', 'createBatch', 'o/c', { data: { batchId: 'b' } }),
];
const batch = (batchId: string, companyId: string) => ({ batchId, companyId }) as RecordedBatch; // what is read
const listed = (companyKey: string, ...ids: string[]) =>
  answered('Ann', 'getPostedBatches', companyKey, { data: ids.join() });

it('a rehearsal that pays for its own company, and is listed there, is right', () => {
  const batches = [batch('b', 'c'), batch('other', 'real')];
  expect(wrongOfRehearsal([...rehearsal, listed('o/c', 'b'), listed('o/real', 'other')], batches)).toEqual([]);
});

it('a rehearsal that pays for another company, or is listed there, is found', () => {
  expect(wrongOfRehearsal(rehearsal, [batch('b', 'real')])).toEqual(['The rehearsal has paid b for the company real.']);
  expect(wrongOfRehearsal([...rehearsal, listed('o/real', 'b')], [batch('b', 'c')])).toEqual([
    'The batch b of the rehearsal is in the list of o/real, which Ann has read.',
  ]);
});
