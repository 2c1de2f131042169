import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { stateOf } from '#machines/lib/state.ts';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import { newsOf, type SubscriptionRow } from '#machines/subscription/rows.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';
import { rowOf } from './subscription.models.ts';

const rows = [rowOf(), rowOf({ subscriptionId: 'subscription-2', status: 'Authorised' })];

async function openList(given: readonly SubscriptionRow[] = rows, guided = false) {
  const running = live(authorisationMachine, { input: { facts: everything, guided } });
  await running.answer('loadRows', given);
  return { ...running, now: () => running.actor.getSnapshot() };
}

type Open = Awaited<ReturnType<typeof openList>>;

describe('the subscription list', () => {
  it('is read again once another tab has changed it, and not for what it shows already (behaviour 6.5)', async () => {
    const { send, now, answer } = await openList();
    const facts = (given: readonly SubscriptionRow[]) =>
      withFacts(everything, {
        settings: {
          subscriptionId: rows[0]!.subscriptionId, // one of two
          subscriptions: JSON.stringify(
            given.map(({ subscriptionId, status, suspended }) => ({ subscriptionId, status, suspended })),
          ),
        },
      });
    const shown = rows.map((row, index) => ({ ...row, current: index === 0 }));
    await send({ type: 'retry' });
    await answer('loadRows', shown);
    await send({ type: 'facts.arrived', facts: facts(shown) });
    expect(now().value).toEqual({ list: 'listing' });
    for (const changed of [
      [...shown, rowOf({ subscriptionId: 'subscription-3' })],
      shown.map((row) => ({ ...row, status: 'Rejected' })),
    ]) {
      await send({ type: 'facts.arrived', facts: facts(changed) });
      expect(now().value).toBe('loading');
      await answer('loadRows', shown);
      expect(now().value).toEqual({ list: 'listing' });
      // It still differs from what the service says: asked once.
      await send({ type: 'facts.arrived', facts: facts(changed) });
      expect(now().value).toEqual({ list: 'listing' });
    }
  });

  it('polls for the response to an update sent before the page was opened', async () => {
    const properties = { serviceUserNumber: '111111' };
    const pending = messageOf({ kind: 'updates', resourceId: 'subscription-2', data: { properties } });
    const updated = { ...rows[1]!, pending }; // two rows
    const { pass, pending: port, answer, now, calls } = await openList([rows[0]!, updated]);
    expect(now()).toMatchObject({
      value: { updating: 'messaging' },
      context: { invoked: { value: 'waiting' }, chosen: updated },
    });
    await pass(webhookPollInterval);
    expect(port('askOutcome').input).toEqual({ messageId: 'message-1' });
    await answer('askOutcome', { state: 'accepted', detail: '' });
    await answer('readRow', { ...updated, pending: null });
    await pass(doubleClick);
    expect(now().value).toEqual({ list: 'listing' });
    expect(newsOf(now().context)).toMatch(/^Example Bacs has accepted the update$/);
    expect(calls.map(({ port: name }) => name)).not.toContain('send');
  });

  it('opens the form with the sent values when a resumed update is refused', async () => {
    const properties = { serviceUserNumber: '111111' };
    const updated = rowOf({ pending: messageOf({ kind: 'updates', data: { properties } }) });
    const { pass, answer, send, pending, now } = await openList([updated]);
    await pass(webhookPollInterval);
    await answer('askOutcome', { state: 'refused', detail: 'Not this one' });
    expect(now()).toMatchObject({
      value: { updating: 'refused' },
      context: { rows: [{ pending: null }], values: properties, failure: { detail: 'Not this one' } },
    });
    await send({ type: 'form.submit' });
    expect(pending('send').input).toMatchObject({ properties });
  });

  it.each([
    ['Refresh', async ({ send }: Open) => send({ type: 'retry' })],
    [
      'Try again after another action failed',
      async ({ send, refuse }: Open) => {
        await send({ type: 'subscription.select', id: 'subscription-1' });
        await refuse('select', failure);
        await send({ type: 'retry' });
      },
    ],
  ])('does not await an update again after Stop waiting, on %s (behaviour 4.54)', async (_, happens) => {
    const updated = rowOf({ pending: messageOf({ kind: 'updates' }) });
    const list = await openList([updated]);
    await list.send({ type: 'form.cancel' });
    await happens(list);
    await list.answer('loadRows', [updated]);
    expect(list.now()).toMatchObject({ value: { list: 'listing' }, context: { rows: [updated] } });
    await list.send({ type: 'subscription.follow', id: updated.subscriptionId });
    expect(stateOf(list.now())).toBe('updating.messaging.waiting');
  });

  it('does not await an update that another tab has sent meanwhile when the list is refreshed after an action', async () => {
    const { send, answer, now } = await openList([rowOf()]);
    await send({ type: 'subscription.update', id: 'subscription-1' });
    await send({ type: 'form.cancel' });
    await send({ type: 'retry' });
    await answer('loadRows', [rowOf({ pending: messageOf({ kind: 'updates' }) })]);
    expect(now().value).toEqual({ list: 'listing' });
  });

  it('does not open the approval page of the guided path by itself once the user has acted', async () => {
    const current = rowOf({ current: true, framed: true, status: 'AwaitingAuthorisation', authorise: '' });
    const { send, answer, now } = await openList([current, rowOf({ subscriptionId: 'subscription-2' })], true);
    await send({ type: 'subscription.update', id: 'subscription-2' });
    await send({ type: 'form.cancel' });
    await send({ type: 'retry' });
    await answer('loadRows', [{ ...current, authorise: 'https://provider.test/authorise' }]);
    expect(now().value).toEqual({ list: 'listing' });
  });

  it('selects a row of an unknown country without a language, and logs that (behaviour 4.7)', async () => {
    const foreign = rowOf({ subscriptionId: 'subscription-3', country: 'FR' });
    const { send, pending, answer, now, logged } = await openList([...rows, foreign]);
    await send({ type: 'subscription.select', id: 'subscription-3' });
    expect(pending('select').input).toStrictEqual({
      subscriptionId: 'subscription-3',
      providerId: foreign.providerId,
      country: 'FR',
    });
    await answer('select');
    expect(now().context.rows.map(({ current }) => current)).toEqual([false, false, true]);
    expect(logged).toEqual(['No language is known for country "FR"']);
  });
});
