import { describe, expect, it } from 'vitest';
import { answerPatience, webhookPollInterval } from '#contract/constants.ts';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { isOverdue } from '#machines/lib/state.ts';
import { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import { newsOf, type SubscriptionRow } from '#machines/subscription/rows.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';
import { rowOf } from './subscription.models.ts';

const rows = [rowOf(), rowOf({ subscriptionId: 'subscription-2', status: 'Authorised' })];

/** The list, and how often it has emitted facts.changed. */
async function openList(given: readonly SubscriptionRow[] = rows) {
  const running = live(authorisationMachine, { input: { facts: everything } });
  let times = 0;
  running.actor.on('facts.changed', () => (times += 1));
  await running.answer('loadRows', given);
  const now = () => running.actor.getSnapshot();
  return { ...running, now, context: () => now().context, times: () => times };
}

describe('an action on a subscription', () => {
  it('is reported until the list is refreshed', async () => {
    const { send, answer, context } = await openList();
    await send({ type: 'subscription.suspend', id: 'subscription-2' });
    await answer('suspend');
    await answer('readRow', rowOf({ subscriptionId: 'subscription-2', status: 'Authorised', suspended: true }));
    expect(newsOf(context())).toContain('Suspended by you');
    await send({ type: 'retry' });
    await answer('loadRows', rows);
    expect(newsOf(context())).toBe('');
  });

  it('that was refused can be retried after the list and the facts are read again', async () => {
    const { send, refuse, answer, now, times } = await openList();
    await send({ type: 'subscription.suspend', id: 'subscription-2' });
    await refuse('suspend', failure);
    expect(times()).toBe(1);
    await send({ type: 'retry' });
    expect([now().value, times()]).toEqual(['loading', 2]);
    await answer('loadRows', rows);
    expect(now()).toMatchObject({ value: { list: 'listing' }, context: { failure: null } });
    expect(newsOf(now().context)).toBe('');
  });

  it('is not overdue at once although an earlier one was', async () => {
    const { send, pass, answer, context } = await openList();
    await send({ type: 'subscription.authorise', id: 'subscription-1' });
    for (let passed = 0; passed < answerPatience; passed += webhookPollInterval) await pass(webhookPollInterval);
    expect(isOverdue(context())).toBe(true);
    await send({ type: 'authorise.close' });
    await answer('readRow', rows[0]);
    await pass(doubleClick);
    await send({ type: 'subscription.authorise', id: 'subscription-1' });
    expect(isOverdue(context())).toBe(false);
  });
});

describe('a double click on Suspend', () => {
  it('suspends once, and Unsuspend is possible no sooner than half a second later (behaviour 4.3)', async () => {
    const { send, pass, answer, calls, now } = await openList();
    const press = { type: 'subscription.suspend', id: 'subscription-2' } as const;
    const suspensions = () =>
      calls.filter(({ port }) => port === 'suspend').map(({ input }) => input as { suspendedByConsumer: boolean });
    await send(press);
    await answer('suspend');
    await answer('readRow', { ...rows[1]!, suspended: true });
    await send(press);
    await pass(doubleClick - 1);
    await send(press);
    expect(suspensions()).toHaveLength(1);
    await pass(1);
    expect(now().value).toEqual({ list: 'listing' });
    await send(press);
    expect(suspensions().map(({ suspendedByConsumer }) => suspendedByConsumer)).toEqual([true, false]);
  });

  it('does not block Close or Refresh', async () => {
    for (const [type, value] of [
      ['retry', 'loading'],
      ['form.cancel', 'cancelled'],
    ] as const) {
      const { send, answer, now } = await openList();
      await send({ type: 'subscription.suspend', id: 'subscription-2' });
      await answer('suspend');
      await answer('readRow', rows[1]);
      await send({ type });
      expect(now().value).toBe(value);
    }
  });
});

describe('a subscription watched for authorisation', () => {
  it('shows each polled status before the final one', async () => {
    const { send, pass, answer, context } = await openList();
    await send({ type: 'subscription.authorise', id: 'subscription-1' });
    await pass(webhookPollInterval);
    await answer('watch', rowOf({ status: 'Pending' }));
    expect(context()).toMatchObject({ chosen: { status: 'Pending' }, rows: [{ status: 'Pending' }, rows[1]] });
  });

  it('becomes overdue after a while without a response, and keeps its status', async () => {
    const { send, pass, context } = await openList();
    await send({ type: 'subscription.authorise', id: 'subscription-1' });
    for (let passed = 0; passed < answerPatience; passed += webhookPollInterval) await pass(webhookPollInterval);
    expect(context()).toMatchObject({ invoked: { context: { overdue: true } }, rows });
  });
});

describe('an update of a subscription', () => {
  const pending = messageOf({ kind: 'updates', data: { properties: { serviceUserNumber: '111111' } } });

  it('is no longer pending once the provider has accepted it', async () => {
    const { pass, answer, context } = await openList([rowOf({ pending }), rows[1]!]); // two rows
    await pass(webhookPollInterval);
    await answer('askOutcome', { state: 'accepted', detail: '' });
    expect(context()).toMatchObject({ rows: [{ pending: null }, rows[1]], chosen: { pending: null } });
  });

  it('that the user cancels reports no action and clears its failure', async () => {
    const { send, refuse, now } = await openList();
    await send({ type: 'subscription.update', id: 'subscription-2' });
    await send({ type: 'form.submit' });
    await refuse('send', failure);
    await send({ type: 'form.cancel' });
    expect(now()).toMatchObject({ value: { list: 'listing' }, context: { act: null, failure: null } });
  });
});
