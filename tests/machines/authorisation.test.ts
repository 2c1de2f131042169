import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import { newsOf, type SubscriptionRow } from '#machines/subscription/rows.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';
import { rowOf } from './subscription.models.ts';

const rows = [rowOf(), rowOf({ subscriptionId: 'subscription-2', status: 'Authorised' })];
/** The one that the guided path asks to approve, in a frame. */
const current = rowOf({ current: true, framed: true });
const properties = { serviceUserNumber: '111111' };
const pending = messageOf({ kind: 'updates', data: { properties } });
const held = { messageId: 'message-1', pending: true, held: true };

async function openList(given: readonly SubscriptionRow[] = rows, guided = false) {
  const running = live(authorisationMachine, { input: { facts: everything, guided } });
  await running.answer('loadRows', given);
  const updates = async (id: string) => {
    await running.send({ type: 'subscription.update', id });
    await running.send({ type: 'form.submit' });
  };
  return { ...running, updates };
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

  it('reports an action until it is refreshed, and none that the user cancels', async () => {
    const { send, answer, now } = await openList();
    await send({ type: 'subscription.suspend', id: 'subscription-2' });
    await answer('suspend');
    await answer('readRow', { ...rows[1], suspended: true });
    expect(newsOf(now().context)).toBe('Suspended by you. Unsuspend it to pay');
    await send({ type: 'retry' });
    await answer('loadRows', rows);
    expect(newsOf(now().context)).toBe('');
    await send({ type: 'subscription.select', id: 'subscription-2' });
    await answer('select');
    expect(newsOf(now().context)).toBe('Debtors, creditors and payments now use Example Bacs');
    await send({ type: 'retry' });
    await answer('loadRows', rows);
    await send({ type: 'subscription.update', id: 'subscription-2' });
    await send({ type: 'form.cancel' });
    expect(newsOf(now().context)).toBe('');
  });

  it('suspends once on a double click, and Unsuspend is possible no sooner than half a second later (behaviour 4.3)', async () => {
    const { send, pass, answer, asked, now } = await openList();
    const press = { type: 'subscription.suspend', id: 'subscription-2' } as const;
    await send(press);
    await answer('suspend');
    await answer('readRow', { ...rows[1]!, suspended: true });
    await send(press);
    await pass(doubleClick - 1);
    await send(press);
    expect(asked('suspend')).toHaveLength(1);
    await pass(1);
    expect(now().value).toEqual({ list: 'listing' });
    await send(press);
    expect(asked('suspend')).toMatchObject([{ suspendedByConsumer: true }, { suspendedByConsumer: false }]);
  });
});

describe('what the subscription list does by itself as it is opened', () => {
  it('is to open the approval page of the current subscription on the guided path, once (behaviour 4.39)', async () => {
    const { answer, send, now } = await openList([rowOf({ subscriptionId: 'subscription-2' }), current], true);
    expect(now()).toMatchObject({
      value: 'approving',
      context: { invoked: { value: 'waiting' }, chosen: current },
    });
    await send({ type: 'authorise.close' });
    await answer('readRow', current);
    await send({ type: 'retry' });
    await answer('loadRows', [current]);
    expect(now().value).toEqual({ list: 'listing' });
  });

  it.each([
    ['outside the guided path', false, { current: true }],
    ['for a page that forbids frames', true, { current: true, framed: false }],
    ['for a subscription that is not current', true, {}],
  ])('is not to open an approval page %s', async (_, guided, row) => {
    expect((await openList([rowOf(row)], guided)).now().value).toEqual({ list: 'listing' });
  });

  it('is to poll for the response to an update sent before', async () => {
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
  ])('is not to await an update again after Stop waiting, on %s (behaviour 4.54)', async (_, happens) => {
    const updated = rowOf({ pending });
    const list = await openList([updated]);
    await list.send({ type: 'form.cancel' });
    await happens(list);
    await list.answer('loadRows', [updated]);
    expect(list.now()).toMatchObject({ value: { list: 'listing' }, context: { rows: [updated] } });
    await list.send({ type: 'subscription.follow', id: updated.subscriptionId });
    expect(list.at()).toBe('updating.messaging.waiting');
  });

  it.each([
    [
      'closed the approval page',
      [current],
      async ({ send, answer, pass }: Open) => {
        await send({ type: 'authorise.close' });
        await answer('readRow', current);
        await pass(doubleClick);
      },
    ],
    [
      'stopped waiting for an update',
      [{ ...current, pending }],
      async ({ send }: Open) => send({ type: 'form.cancel' }),
    ],
    [
      'begun an update',
      [{ ...current, authorise: '' }],
      async ({ send }: Open) => {
        await send({ type: 'subscription.update', id: 'subscription-1' });
        await send({ type: 'form.cancel' });
      },
    ],
  ])('is not done once the user has %s, whatever another tab has sent since', async (_, given, happens) => {
    for (const since of [current, { ...current, pending }]) {
      const list = await openList(given, true);
      await happens(list);
      await list.send({ type: 'retry' });
      await list.answer('loadRows', [since]);
      expect(list.now().value).toEqual({ list: 'listing' });
    }
  });
});

describe('an update of a subscription', () => {
  /** Two rows, of which each awaits the answer to an update. */
  const waiting = ['1', '2'].map((number) => {
    const [subscriptionId, messageId] = [`subscription-${number}`, `message-${number}`];
    const data = number === '2' ? { properties } : {};
    const update = messageOf({ messageId, kind: 'updates', resourceId: subscriptionId, data });
    return rowOf({ subscriptionId, status: 'Authorised', pending: update });
  });
  const authorised = waiting.map((row) => ({ ...row, pending: null }));

  it('that is followed is that of the chosen row, whose values are in the form once it is refused', async () => {
    const { send, pass, asked, answer, now } = await openList(waiting);
    await send({ type: 'form.cancel' });
    await send({ type: 'subscription.follow', id: 'subscription-2' });
    expect(now()).toMatchObject({ value: { updating: 'messaging' }, context: { chosen: waiting[1] } });
    await pass(webhookPollInterval);
    expect(asked('askOutcome')).toEqual([{ messageId: 'message-2' }]);
    await answer('askOutcome', { state: 'refused', detail: 'Not this one' });
    expect(now()).toMatchObject({ value: { updating: 'refused' }, context: { values: properties } });
    expect(asked('send')).toEqual([]);
  });

  it('is a new message after one that the user has stopped waiting for', async () => {
    const { send, updates, asked, now } = await openList([waiting[0]!, authorised[1]!]);
    await send({ type: 'form.cancel' });
    await updates('subscription-2');
    expect(asked('send')).toMatchObject([{ subscriptionId: 'subscription-2', again: false }]);
    expect(now().context.messageId).toBe('');
  });

  it.each(['another row', 'a changed value'])('that the user sent once more is held again for %s', async (which) => {
    const { send, updates, answer, refuse, asked } = await openList(authorised);
    await updates('subscription-1');
    await answer('send', held);
    await send({ type: 'update.again' });
    await refuse('send', failure);
    if (which === 'another row') {
      await send({ type: 'form.cancel' });
      await send({ type: 'subscription.update', id: 'subscription-2' });
    } else await send({ type: 'form.change', field: 'serviceUserNumber', value: '333333' });
    await send({ type: 'form.submit' });
    expect(asked('send')).toMatchObject([{ again: false }, { again: true }, { again: false }]);
    if (which === 'a changed value')
      expect(asked('send').at(-1)).toMatchObject({ properties: { serviceUserNumber: '333333' } });
  });

  it('beside a pending one needs a confirmation, which a change of the form resets', async () => {
    const { send, updates, answer, asked, at } = await openList(authorised);
    await updates('subscription-1');
    await answer('send', held);
    expect(at()).toBe('updating.another');
    await send({ type: 'update.again' });
    await answer('send', held);
    await send({ type: 'form.change', field: 'serviceUserNumber', value: '222222' });
    await send({ type: 'form.submit' });
    const changed = { serviceUserNumber: '222222' };
    expect(asked('send')).toMatchObject([{ again: false }, { again: true }, { again: false, properties: changed }]);
    await answer('send', held);
    await send({ type: 'answer.await' });
    expect(at()).toBe('updating.messaging.waiting');
  });
});
