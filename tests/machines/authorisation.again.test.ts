import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import type { SubscriptionRow } from '#machines/subscription/rows.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';
import { rowOf } from './subscription.models.ts';

const properties = { serviceUserNumber: '222222' };

/** Two rows, of which each awaits the answer to an update. */
const waiting = ['1', '2'].map((number) => {
  const subscriptionId = `subscription-${number}`;
  const data = number === '2' ? { properties } : {};
  const messageId = `message-${number}`;
  const pending = messageOf({ messageId, kind: 'updates', resourceId: subscriptionId, data });
  return rowOf({ subscriptionId, status: 'Authorised', pending });
});
const authorised = ['1', '2'].map((number) =>
  rowOf({ subscriptionId: `subscription-${number}`, status: 'Authorised' }),
);

async function openList(given: readonly SubscriptionRow[]) {
  const running = live(authorisationMachine, { input: { facts: everything } });
  let told = 0;
  running.actor.on('facts.changed', () => (told += 1));
  await running.answer('loadRows', given);
  const now = () => running.actor.getSnapshot();
  return { ...running, now, told: () => told };
}

describe('a pending update that the user follows', () => {
  it('is that of the chosen row, whose values are in the form once it is refused', async () => {
    const { send, pass, pending, answer, now, calls } = await openList(waiting);
    await send({ type: 'form.cancel' });
    await send({ type: 'subscription.follow', id: 'subscription-2' });
    expect(now()).toMatchObject({ value: { updating: 'messaging' }, context: { chosen: waiting[1] } });
    await pass(webhookPollInterval);
    expect(pending('askOutcome').input).toEqual({ messageId: 'message-2' });
    await answer('askOutcome', { state: 'refused', detail: 'Not this one' });
    expect(now()).toMatchObject({ value: { updating: 'refused' }, context: { values: properties } });
    expect(calls.filter(({ port }) => port === 'send')).toEqual([]);
  });
});

describe('an update of a subscription', () => {
  it('begins without the failure of another action', async () => {
    const { send, refuse, now } = await openList(authorised);
    await send({ type: 'subscription.suspend', id: 'subscription-1' });
    await refuse('suspend', failure);
    expect(now().context.failure).toEqual(failure);
    await send({ type: 'subscription.update', id: 'subscription-2' });
    expect(now()).toMatchObject({ value: { updating: 'editing' }, context: { failure: null } });
  });

  it('is a new message after one that the user has stopped waiting for', async () => {
    const { send, pending, now } = await openList([waiting[0]!, authorised[1]!]);
    await send({ type: 'form.cancel' });
    await send({ type: 'subscription.update', id: 'subscription-2' });
    await send({ type: 'form.submit' });
    expect(pending('send').input).toMatchObject({ subscriptionId: 'subscription-2', again: false });
    expect(now().context.messageId).toBe('');
  });

  it.each(['another row', 'a changed value'])('that the user sent once more is held again for %s', async (which) => {
    const { send, answer, refuse, pending } = await openList(authorised);
    await send({ type: 'subscription.update', id: 'subscription-1' });
    await send({ type: 'form.submit' });
    await answer('send', { messageId: 'message-1', pending: true, held: true });
    await send({ type: 'update.again' });
    expect(pending('send').input).toMatchObject({ again: true });
    await refuse('send', failure);
    if (which === 'another row') {
      await send({ type: 'form.cancel' });
      await send({ type: 'subscription.update', id: 'subscription-2' });
    } else await send({ type: 'form.change', field: 'serviceUserNumber', value: '333333' });
    await send({ type: 'form.submit' });
    expect(pending('send').input).toMatchObject({ again: false });
  });
});
