import { describe, expect, it } from 'vitest';
import { stateOf } from '#machines/lib/state.ts';
import { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import type { Sent } from '#machines/lib/messageOutcome.ts';
import { everything } from '#tests/support/facts.ts';
import { messageOf } from '#tests/support/messages.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { rowOf } from './subscription.models.ts';

const input = { input: { facts: everything } };

const updated = (messageId: string, more: Partial<Sent> = {}): Sent => ({
  messageId,
  pending: false,
  held: false,
  ...more,
});

it('the approval page of the current subscription opens once by itself on the guided path (behaviour 4.39)', async () => {
  const current = rowOf({ current: true });
  const { answer, send, actor } = live(authorisationMachine, { input: { facts: everything, guided: true } });
  await answer('loadRows', [rowOf({ subscriptionId: 'subscription-2' }), current]);
  expect(actor.getSnapshot()).toMatchObject({
    value: 'approving',
    context: { invoked: { value: 'waiting' }, chosen: current },
  });
  await send({ type: 'authorise.close' });
  await answer('readRow', current);
  await send({ type: 'retry' });
  await answer('loadRows', [current]);
  expect(actor.getSnapshot().value).toEqual({ list: 'listing' });
});

it.each([
  ['outside the guided path', {}, { current: true }],
  ['for a page that forbids frames', { guided: true }, { current: true, framed: false }],
  ['for a subscription that is not current', { guided: true }, {}],
])('the approval page does not open by itself %s', async (_, opened, row) => {
  const { answer, actor } = live(authorisationMachine, { input: { facts: everything, ...opened } });
  await answer('loadRows', [rowOf(row)]);
  expect(actor.getSnapshot().value).toEqual({ list: 'listing' });
});

describe('the suspension of a subscription', () => {
  it.each([
    [false, true],
    [true, false],
  ])('changes suspended from %s to %s', async (suspended, suspendedByConsumer) => {
    const { answer, send, pending } = live(authorisationMachine, input);
    await answer('loadRows', [rowOf({ status: 'Authorised', suspended })]);
    await send({ type: 'subscription.suspend', id: 'subscription-1' });
    expect(pending('suspend').input).toEqual({ subscriptionId: 'subscription-1', suspendedByConsumer });
  });
});

describe('the update of a subscription', () => {
  async function openForm() {
    const { answer, ...running } = live(authorisationMachine, input);
    await answer('loadRows', [rowOf({ status: 'Authorised' })]);
    await running.send({ type: 'subscription.update', id: 'subscription-1' });
    return { answer, ...running };
  }

  it('beside a pending one needs a confirmation, which a change of the form resets', async () => {
    const { actor, send, answer, pending } = await openForm();
    const refused = updated('message-1', { pending: true, held: true });
    const again = () => (pending('send').input as { again: boolean }).again; // the port's input
    await send({ type: 'form.submit' });
    await answer('send', refused);
    expect(actor.getSnapshot().value).toEqual({ updating: 'another' });
    await send({ type: 'update.again' });
    expect(again()).toBe(true);
    await answer('send', refused);
    await send({ type: 'form.change', field: 'serviceUserNumber', value: '222222' });
    await send({ type: 'form.submit' });
    expect(again()).toBe(false);
    await answer('send', refused);
    await send({ type: 'answer.await' });
    expect(stateOf(actor.getSnapshot())).toBe('updating.messaging.waiting');
  });

  it('with a lost response is resent once under its own id', async () => {
    const lost = messageOf({ kind: 'updates', forwarded: false });
    const { answer, actor, send, pending, calls, refuse } = live(authorisationMachine, input);
    const again = { type: 'message.sendAgain', id: lost.messageId } as const;
    await answer('loadRows', [rowOf({ pending: lost })]);
    await send({ ...again, id: 'another' });
    await send(again);
    await send(again);
    expect(calls.filter(({ port }) => port === 'sendAgain')).toHaveLength(1);
    expect(pending('sendAgain').input).toEqual({ messageId: lost.messageId });
    await refuse('sendAgain', failure);
    expect(actor.getSnapshot()).toMatchObject({
      value: { updating: 'messaging' },
      context: { invoked: { value: 'unanswered' }, failure },
    });
    await send({ type: 'retry' });
    await send(again);
    await answer('sendAgain', { ...lost, forwarded: true });
    expect(actor.getSnapshot().context.rows[0]?.pending).toMatchObject({ forwarded: true });
    expect(actor.getSnapshot().can(again)).toBe(false);
  });
});
