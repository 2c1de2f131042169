import { expect, it } from 'vitest';
import type { JourneyId } from '#machines/journeys.ts';
import type { RecordedApplication } from '#server/sandbox/recorded.ts';
import { wrongSuccesses } from './successes.ts';

const call = (operation: string, id: string, isDone = true) =>
  ({ operation, isDone, response: { body: `{"id":"${id}"}` } }) as RecordedApplication['calls'][number]; // what is read
const webhook = (type: string, status: string, messageId: string) =>
  ({
    deliveries: [{ body: JSON.stringify({ type, data: { status, messageId } }) }],
  }) as unknown as Truth['webhooks'][number]; // likewise
type Truth = Pick<RecordedApplication, 'calls' | 'webhooks' | 'batches'>;
const truth: Truth = {
  calls: [call('createCompany', 'c-1'), call('createCompany', 'c-2', false), call('createOrganisation', 'o-1')],
  webhooks: [webhook('creditorputs', 'Accepted', 'm-1'), webhook('creditorputs', 'Rejected', 'm-2')],
  batches: [{ batchId: 'b-1' } as Truth['batches'][number]], // likewise
};
const told = (journey: JourneyId, result: unknown) =>
  wrongSuccesses([{ by: { name: 'Ann', workspace: '', headers: {} }, journey, result }], truth);

it.each<[JourneyId, object]>([
  ['company', { companyId: 'c-1' }],
  ['electronicPayment', { batchId: 'b-1' }],
  ['creditor', { messageId: 'm-1' }],
  ['settings', {}],
])('a success of %s that the service has done is right', (journey, result) => {
  expect(told(journey, result)).toEqual([]);
});

it.each<[JourneyId, object]>([
  ['company', { companyId: 'c-2' }],
  ['company', { companyId: 'o-1' }],
  ['company', {}],
  ['filePayment', { batchId: 'b-2' }],
  ['creditor', { messageId: 'm-2' }],
  ['debtor', { messageId: 'm-1' }],
])('a success of %s with %j, which the service has not done, is found', (journey, result) => {
  expect(told(journey, result)).toHaveLength(1);
});
