import { describe, expect, it } from 'vitest';
import { isUnsure, knownOf, lostIn, mayRepeat, mayRepeatListed, pendingWith } from '#machines/lib/resend.ts';
import { authoriseLinkOf, noAnswer, refusedProblem, type Outcome } from '#machines/lib/messageOutcome.ts';
import { mayAuthorise } from '#machines/party/party.machine.ts';
import { failure } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';

const lost = messageOf({ messageId: 'lost', forwarded: false });
const had = messageOf({ messageId: 'had', forwarded: true });
const again = (id: string) => ({ type: 'message.sendAgain', id });

describe('a message of unknown outcome', () => {
  it('is one that is pending and was not forwarded to the service', () => {
    expect(isUnsure(lost)).toBe(true);
    for (const sure of [had, { ...lost, state: 'accepted' as const }, { state: 'waiting' as const }, null, undefined])
      expect(isUnsure(sure)).toBe(false);
  });

  it('can be resent while it is followed, or by its id in the list', () => {
    const context = { ...noAnswer, messageId: 'lost', outcome: lost };
    expect(mayRepeat({ context, event: again('lost') })).toBe(true);
    expect(mayRepeat({ context, event: again('had') })).toBe(false);
    expect(mayRepeat({ context: { ...context, outcome: had }, event: again('lost') })).toBe(false);
    const list = { pending: [had, lost], repeated: '' };
    expect(['lost', 'had', 'unknown'].map((id) => mayRepeatListed({ context: list, event: again(id) }))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is identified by a problem of unknown outcome, unless resending is impossible', () => {
    const problem = { ...failure, outcome: 'unknown' as const, messageId: 'lost' };
    expect(lostIn(problem)).toBe('lost');
    expect(lostIn({ ...failure, outcome: 'unknown' })).toBe('');
    expect(lostIn({ ...problem, outcome: 'refused' })).toBe('');
    expect(lostIn({ ...problem, code: 'outcome-unknown' })).toBe('');
    expect(lostIn(null)).toBe('');
  });

  it('is updated in its place in the list', () => {
    const list = { pending: [had, lost] };
    const outcome = { ...lost, forwarded: true };
    expect(pendingWith(list, { messageId: 'lost', outcome })).toEqual([had, outcome]);
    expect(pendingWith(list, { messageId: 'lost', outcome: null })).toEqual(list.pending);
    expect(pendingWith(list, { messageId: 'unknown', outcome })).toEqual(list.pending);
  });

  it('is known by what was just heard of it, else by its own entry in the list', () => {
    const list = { pending: [had, lost] };
    expect(knownOf(list, { messageId: 'lost', outcome: null })).toBe(lost);
    expect(knownOf(list, { messageId: 'unknown', outcome: null })).toBeNull();
    expect(knownOf(list, { messageId: 'lost', outcome: had })).toBe(had);
  });

  it('turns a refusal into a failure with the provider’s text', () => {
    expect(refusedProblem({ state: 'refused', detail: 'The account is closed' })).toEqual({
      type: 'about:blank',
      title: 'The provider refused',
      status: 0,
      detail: 'The account is closed',
      code: 'upstream-refused',
      outcome: 'refused',
    });
  });
});

describe('the link to authorise a message', () => {
  const waits = { state: 'waiting', detail: '', followed: true, authorise: 'https://provider.test/' } as const;

  it('is offered while the message is pending, if the link may be followed', () => {
    expect(authoriseLinkOf(waits)).toBe('https://provider.test/');
    const { authorise: _link, ...without } = waits;
    for (const outcome of [null, without, { ...waits, followed: false }, { ...waits, state: 'accepted' as const }])
      expect(authoriseLinkOf(outcome)).toBe('');
  });

  it('opens its page while there is one', () => {
    const may = (outcome: Outcome | null) => mayAuthorise({ context: { outcome } });
    expect([waits, null, { ...waits, authorise: '' }, { ...waits, state: 'accepted' as const }].map(may)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
