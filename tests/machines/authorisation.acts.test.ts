import { describe, expect, it } from 'vitest';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import { newsOf, type SubscriptionRow } from '#machines/subscription/rows.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';
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
});

describe('an update of a subscription', () => {
  it('that the user cancels reports no action and clears its failure', async () => {
    const { send, refuse, now } = await openList();
    await send({ type: 'subscription.update', id: 'subscription-2' });
    await send({ type: 'form.submit' });
    await refuse('send', failure);
    await send({ type: 'form.cancel' });
    expect(now()).toMatchObject({ value: { list: 'listing' }, context: { act: null, failure: null } });
  });
});
