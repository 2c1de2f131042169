import { describe, expect, it } from 'vitest';
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
