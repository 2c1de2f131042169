import { subscriptionWords } from '#machines/names.ts';
import { describe, expect, it } from 'vitest';
import {
  approvalOf,
  authoriseBlocked,
  hasEnded,
  isDecided,
  named,
  newsOf,
  rowGuards,
  suspendBlocked,
  updateBlocked,
  withCurrent,
  withRow,
  type Act,
} from '#machines/subscription/rows.ts';
import { messageOf } from '#tests/support/messages.ts';
import { rowOf } from './subscription.models.ts';

const unknown = rowOf({ status: 'Unknown to the service' });

describe('a row of the subscription list', () => {
  it.each([
    ['Received', false, false],
    ['AwaitingAuthorisation', false, false],
    ['Pending', false, false],
    ['Authorised', true, false],
    ['Rejected', true, true],
    ['Cancelled', true, true],
    ['Expired', true, true],
    [unknown.status, true, true],
  ])('with the status %s is decided: %s, and has ended: %s', (status, decided, ended) => {
    expect([isDecided(rowOf({ status })), hasEnded(rowOf({ status }))]).toEqual([decided, ended]);
  });

  it('has a reason why it cannot be authorised', () => {
    expect(authoriseBlocked(rowOf())).toBe('');
    for (const status of ['Authorised', 'Rejected', 'Cancelled', unknown.status])
      expect(authoriseBlocked(rowOf({ status }))).toBe(`It is ${status}`);
    expect(authoriseBlocked(rowOf({ authorise: '' }))).toBe('The provider has sent no link yet. Select “Refresh”');
    expect(authoriseBlocked(rowOf({ authorise: '', elsewhere: 'https://elsewhere.test/' }))).toBe(
      'This link is not opened, because it does not lead to the provider’s pages: https://elsewhere.test/',
    );
  });

  it('has a reason why it cannot be updated or suspended', () => {
    expect(updateBlocked(rowOf())).toBe('');
    expect(updateBlocked(unknown)).toBe('The service does not know it');
    expect(updateBlocked(rowOf({ rules: [] }))).toBe('Its provider has no fields to update');
    expect(suspendBlocked(rowOf({ status: 'Authorised' }))).toBe('');
    expect(suspendBlocked(rowOf({ status: 'Pending' }))).toBe('Only when Authorised');
  });
});

describe('the report after a subscription action', () => {
  const chosen = rowOf({ status: 'Authorised', suspended: false });

  it.each([
    ['select', 'Debtors, creditors and payments now use Example Bacs'],
    ['authorise', 'Approved. You can pay now'],
    ['update', 'Example Bacs has accepted the update'],
    ['suspend', 'Approved. You can pay now'],
  ] as [Act, string][])('states the result of %s', (act, news) => {
    expect(newsOf({ act, chosen })).toBe(news);
    expect(newsOf({ act, chosen: null })).toBe('');
  });

  it('states a suspension, and nothing without an action', () => {
    expect(newsOf({ act: 'suspend', chosen: rowOf({ suspended: true }) })).toBe(
      'Suspended by you. Unsuspend it to pay',
    );
    expect(newsOf({ act: null, chosen })).toBe('');
  });
});

describe('the rows of the subscription list', () => {
  const [first, second] = [rowOf(), rowOf({ subscriptionId: 'subscription-2', status: 'Authorised' })];
  const context = { rows: [first, second], chosen: null, act: null };
  const event = (id?: string) => ({
    context,
    event: { type: 'subscription.select', ...(id === undefined ? {} : { id }) },
  });

  it('are found by their ids', () => {
    expect(named(event('subscription-2'))).toBe(second);
    expect([named(event('unknown')), named(event())]).toEqual([null, null]);
  });

  it('allow the actions of their status, and none for an unknown id', () => {
    const permitted = (id: string) =>
      Object.entries(rowGuards).flatMap(([name, guard]) => (guard(event(id)) ? [name] : []));
    expect(permitted('subscription-1')).toEqual(['exists', 'mayAuthorise', 'mayUpdate']);
    expect(permitted('subscription-2')).toEqual(['exists', 'mayUpdate', 'maySuspend']);
    expect(permitted('unknown')).toEqual([]);
    const bare = { ...context, rows: [rowOf({ rules: [] })] };
    expect(rowGuards.mayUpdate({ ...event('subscription-1'), context: bare })).toBe(false);
    const pending = rowOf({ pending: messageOf({ kind: 'updates' }) });
    expect(rowGuards.isUpdating({ ...event('subscription-1'), context: { ...context, rows: [pending] } })).toBe(true);
  });

  it('are replaced one by one, and one of them is current', () => {
    const read = { ...first, status: 'Rejected' };
    expect(withRow(context, read)).toEqual({ chosen: read, rows: [read, second] });
    const current = (chosen: typeof first | null) => withCurrent({ ...context, chosen }).rows.map((row) => row.current);
    expect(current(second)).toEqual([false, true]);
    expect(current(null)).toEqual([false, false]);
  });
});

describe('where a subscription stands in words', () => {
  it.each([
    ['Received', 'Sent to Larkfield, waiting for its reply'],
    ['received', 'Sent to Larkfield, waiting for its reply'],
    ['Pending', 'Waiting for approval at Larkfield'],
    ['AWAITING_AUTHORISATION', 'Waiting for approval at Larkfield'],
    ['Authorised', 'Approved. You can pay now'],
    ['Rejected', 'Rejected by Larkfield'],
    ['Expired', 'The subscription with Larkfield is Expired'],
    ['UnderReview', 'The subscription with Larkfield is UnderReview'],
    ['constructor', 'The subscription with Larkfield is constructor'],
  ])('with the status %s is "%s" (behaviour 4.61)', (status, words) => {
    expect(subscriptionWords(status, 'Larkfield')).toBe(words);
  });
});

describe('the approval that the current subscription needs', () => {
  const current = (more: Parameters<typeof rowOf>[0]) => ({ rows: [rowOf(), rowOf({ ...more, current: true })] });

  it.each([
    ['AwaitingAuthorisation', 'Larkfield', 'approve', 'Approve at Larkfield'],
    ['AwaitingAuthorisation', '', 'approve', 'Approve at the provider'],
    ['Rejected', 'Larkfield', 'replace', 'Rejected by Larkfield'],
  ])('with the status %s and the provider "%s" is to %s: %s', (status, providerName, need, title) => {
    const state = current({ status, providerName });
    expect(approvalOf(state)).toEqual({ row: state.rows[1], need, title });
  });

  it('is none if it is Authorised, or if no subscription is the current one', () => {
    expect([approvalOf(current({ status: 'Authorised' })), approvalOf({ rows: [rowOf()] })]).toEqual([null, null]);
  });
});
