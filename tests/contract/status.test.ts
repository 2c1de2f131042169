import { describe, expect, it } from 'vitest';
import { batchEndStatuses } from '#contract/constants.ts';
import {
  afterStatus,
  isAuthorised,
  isBatchEnd,
  isFailure,
  isSubscriptionEnd,
  statusOf,
  type SaidStatus,
} from '#contract/status.ts';

describe('a status', () => {
  it.each([...batchEndStatuses, 'AwaitingAuthorisation', 'Authorised', 'Suspended', 'Received', 'Pending'])(
    '%s is recognised in any case and with any separators (wire 10.2)',
    (status) => {
      const words = status.split(/(?<=.)(?=[A-Z])/);
      for (const said of [status, status.toUpperCase(), status.toLowerCase(), words.join('_'), words.join(' ')])
        expect(statusOf(said)).toBe(status);
    },
  );

  it.each([' Failed\n', 'F\u00adailed', 'Ｆａｉｌｅｄ', 'fai\u2011led', 'FAILED\u200b', 'f.a/i:led', '\ufefffailed'])(
    '%j is recognised as a failure in any Unicode form (wire 10.2)',
    (said) => {
      expect([statusOf(said), isFailure(said), isBatchEnd(said)]).toEqual(['Failed', true, true]);
    },
  );

  it.each(['Fai1ed', 'F\u0430iled', 'Failed?', 'notFailed', 'Returned', ''])('%j is no failure', (said) => {
    expect(isFailure(said)).toBe(false);
  });

  it('of a batch is recognised as final in any spelling', () => {
    for (const said of ['PAYMENT_FILE_AVAILABLE', 'partially completed', 'Failed']) expect(isBatchEnd(said)).toBe(true);
    for (const said of ['', 'PROCESSING', 'FailedOver']) expect(isBatchEnd(said)).toBe(false);
  });

  it('of a subscription decides in any spelling', () => {
    for (const said of ['Authorised', 'AUTHORISED', 'authorised', ' Authorised '])
      expect(isAuthorised(said)).toBe(true);
    for (const said of ['', 'Authorized', 'not authorised', 'AwaitingAuthorisation'])
      expect(isAuthorised(said)).toBe(false);
    for (const said of ['rejected', 'CANCELLED', 'ex_pired']) expect(isSubscriptionEnd(said)).toBe(true);
  });

  it.each(['', 'ProcessedByBank', 'authorised?', 'not authorised'])(
    '%j that is unknown is kept as received',
    (said) => {
      expect(statusOf(said)).toBe(said);
    },
  );
});

describe('What the service says of a batch', () => {
  it.each<[string, string[], SaidStatus]>([
    ['at first', ['Received'], { status: 'Received' }],
    ['at first, an end', ['Failed'], { status: 'Failed' }],
    ['after a status in progress', ['Processing', 'Completed'], { status: 'Completed' }],
    ['in progress after an end', ['Completed', 'Processing'], { status: 'Processing', ended: 'Completed' }],
    ['in progress several times after an end', ['FAILED', 'pending', ''], { status: '', ended: 'FAILED' }],
    ['as another end', ['Failed', 'Completed'], { status: 'Completed' }],
    ['as an end after one in progress after an end', ['Failed', 'Processing', 'Completed'], { status: 'Completed' }],
    ['as an unknown status after an end', ['Completed', 'Reversed'], { status: 'Reversed' }],
    ['as a return after an end', ['Completed', 'Returned'], { status: 'Returned' }],
    [
      'as an end after a return',
      ['Completed', 'PartiallyReturned', 'Failed'],
      { status: 'Failed', ended: 'PartiallyReturned' },
    ],
    ['as a return of the rest', ['PartiallyReturned', 'Completed', 'Returned'], { status: 'Returned' }],
    ['in progress after an unknown status after an end', ['Completed', 'Reversed', 'Pending'], { status: 'Pending' }],
    ['in progress after one that is no end', ['Processing', 'Received'], { status: 'Received' }],
  ])('%s is its status, and an end before an earlier stage is kept beside it: %j', (_, said, after) => {
    expect(said.reduce<SaidStatus | undefined>(afterStatus, undefined)).toEqual(after);
  });
});
