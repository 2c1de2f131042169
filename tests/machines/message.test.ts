import { describe, expect, it } from 'vitest';
import { answerPatience, webhookPollInterval } from '#contract/constants.ts';
import { messageApproval, messageMachine, type MessageInput } from '#machines/lib/message.machine.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';
import { flawsOf } from '#tests/support/pathsFaults.ts';

const lost = { state: 'waiting', detail: '', forwarded: false } as const;
const arrived = { ...lost, forwarded: true } as const;
const known = messageOf({ messageId: 'put-1' });

/** The conversation about a message that was sent before. */
const began = (input: Partial<MessageInput>) =>
  live(messageMachine, { input: { request: null, messageId: 'put-1', ...input } });

it.each([messageMachine, messageApproval])('the machine $id that journeys invoke describes each state', (machine) => {
  expect(flawsOf(machine)).toEqual([]);
});

describe('a message of which it is known whether the service has it', () => {
  it.each([
    ['that arrived', arrived, 'put-1'],
    ['that was lost, if another one is named', lost, 'put-2'],
  ])('%s is not resent (behaviour 4.25)', async (_, outcome, id) => {
    const { actor, send, calls } = began({ outcome });
    await send({ type: 'message.sendAgain', id });
    expect([actor.getSnapshot().value, calls]).toEqual(['waiting', []]);
  });
});

describe('a message that was lost', () => {
  it('is awaited again after it was resent (behaviour 4.25)', async () => {
    const { actor, send, answer, pending } = began({ outcome: lost });
    await send({ type: 'message.sendAgain', id: 'put-1' });
    expect(pending('sendAgain').input).toEqual({ messageId: 'put-1' });
    await answer('sendAgain', known);
    expect(actor.getSnapshot()).toMatchObject({ value: 'waiting', context: { outcome: known } });
  });

  it('can still be awaited if resending it fails', async () => {
    const { actor, send, refuse } = began({ outcome: lost });
    await send({ type: 'message.sendAgain', id: 'put-1' });
    await refuse('sendAgain', failure);
    expect(actor.getSnapshot()).toMatchObject({ value: 'unanswered', context: { failure } });
    await send({ type: 'retry' });
    expect(actor.getSnapshot()).toMatchObject({ value: 'waiting', context: { failure: null } });
  });

  it('is not awaited if it is only resent', async () => {
    const { actor, answer } = began({ outcome: lost, resends: true });
    await answer('sendAgain', known);
    expect(actor.getSnapshot().output).toMatchObject({ end: 'resent', outcome: known, failure: null });
  });

  it('ends as unsent if it is only resent and that fails', async () => {
    const { actor, refuse } = began({ outcome: lost, resends: true });
    await refuse('sendAgain', failure);
    expect(actor.getSnapshot().output).toMatchObject({ end: 'unsent', messageId: 'put-1', failure });
  });
});

const request = { request: 'query', party: 'creditor', subscriptionId: 'subscription-1', lostQuery: '' } as const;
const waits = { state: 'waiting', detail: '' } as const;

describe('a message that is sent', () => {
  const sending = () => live(messageMachine, { input: { request } });

  it('is busy and about nothing yet until the service has it', async () => {
    const { actor, answer, pending } = sending();
    expect(actor.getSnapshot()).toMatchObject({
      value: 'sending',
      context: {
        messageId: '',
        outcome: null,
        overdue: false,
        looks: 0,
        looksBefore: 0,
        already: false,
        failure: null,
      },
    });
    expect([actor.getSnapshot().hasTag('busy'), pending('send').input]).toEqual([true, request]);
    await answer('send', { messageId: 'query-1', pending: false, held: false });
    expect(actor.getSnapshot()).toMatchObject({ value: 'waiting', context: { messageId: 'query-1', already: false } });
    expect(actor.getSnapshot().hasTag('busy')).toBe(false);
  });

  it('is awaited, and said to have been sent already, where the same one is pending', async () => {
    const { actor, answer } = sending();
    await answer('send', { messageId: 'query-0', pending: true, held: false });
    expect(actor.getSnapshot()).toMatchObject({ value: 'waiting', context: { messageId: 'query-0', already: true } });
  });

  it.each([
    ['held', ({ answer }) => answer('send', { messageId: 'query-0', pending: true, held: true }), 'query-0', null],
    ['unsent', ({ refuse }) => refuse('send', failure), '', failure],
  ] as [string, (running: ReturnType<typeof sending>) => Promise<void>, string, object | null][])(
    'ends as %s with its id and its failure',
    async (end, happens, messageId, why) => {
      const running = sending();
      await happens(running);
      expect(running.actor.getSnapshot().output).toEqual({
        end,
        messageId,
        outcome: null,
        overdue: false,
        looks: 0,
        failure: why,
      });
    },
  );
});

describe('a message that is awaited', () => {
  it.each(['accepted', 'refused'] as const)('ends at once if it is known to be %s', (state) => {
    const outcome = { state, detail: 'Because' };
    const { actor, calls } = began({ outcome });
    expect([actor.getSnapshot().output, calls]).toMatchObject([{ end: state, outcome, messageId: 'put-1' }, []]);
  });

  it.each(['accepted', 'refused'] as const)('ends as %s with the answer that says so, after others', async (state) => {
    const { actor, pass, answer } = began({ outcome: waits });
    for (const outcome of [
      { ...waits, status: 'Pending' },
      { state, detail: 'Because' },
    ]) {
      await pass(webhookPollInterval);
      await answer('askOutcome', outcome);
    }
    expect(actor.getSnapshot().output).toMatchObject({ end: state, outcome: { state, detail: 'Because' }, looks: 2 });
  });

  it('counts its polls across a failure, and keeps what the last one answered', async () => {
    const { actor, pass, answer, refuse, send } = began({ outcome: waits });
    await pass(webhookPollInterval);
    await answer('askOutcome', { ...waits, status: 'Pending' });
    await pass(webhookPollInterval);
    await refuse('askOutcome', failure);
    expect(actor.getSnapshot()).toMatchObject({ value: 'unanswered', context: { looks: 1, outcome: { status: 'Pending' } } }); // prettier-ignore
    expect([...actor.getSnapshot().tags].toSorted()).toEqual(['failed', 'sent']);
    await send({ type: 'retry' });
    await pass(webhookPollInterval);
    await answer('askOutcome', { ...waits, status: 'Processing' });
    expect(actor.getSnapshot().context).toMatchObject({ looks: 2, outcome: { status: 'Processing' }, failure: null });
  });

  it('is overdue after a while, keeps its outcome, and stays so until it is resent', async () => {
    const { actor, pass, answer, send } = began({ outcome: lost });
    for (let passed = 0; passed < answerPatience; passed += webhookPollInterval) await pass(webhookPollInterval);
    expect(actor.getSnapshot().context).toMatchObject({ overdue: true, outcome: lost, looks: 0 });
    await answer('askOutcome', lost);
    expect(actor.getSnapshot().context).toMatchObject({ overdue: true, looks: 1 });
    await send({ type: 'message.sendAgain', id: 'put-1' });
    await answer('sendAgain', known);
    expect(actor.getSnapshot().context).toMatchObject({ overdue: false, outcome: known });
  });

  it('that was overdue before stays so with an answer', async () => {
    const { actor, pass, answer } = began({ outcome: waits, overdue: true });
    await pass(webhookPollInterval);
    await answer('askOutcome', waits);
    expect(actor.getSnapshot().context).toMatchObject({ overdue: true, looks: 1 });
  });

  it.each([
    ['offers a retry of what failed on the way', failure, true],
    ['offers no retry of what was forbidden', { ...failure, code: 'forbidden' as const }, false],
  ])('%s (behaviour 10.2.5)', async (_, problem, isOffered) => {
    const { actor, pass, refuse } = began({ outcome: waits });
    await pass(webhookPollInterval);
    await refuse('askOutcome', problem);
    expect(actor.getSnapshot().can({ type: 'retry' })).toBe(isOffered);
  });
});
