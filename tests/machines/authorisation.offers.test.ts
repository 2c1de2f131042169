import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { messageIn } from '#machines/lib/messaging.ts';
import { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import { newsOf, type SubscriptionRow } from '#machines/subscription/rows.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { everything } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';
import { rowOf } from './subscription.models.ts';

const pending = messageOf({ kind: 'updates', data: { properties: { serviceUserNumber: '111111' } } });
const rows = [rowOf(), rowOf({ subscriptionId: 'subscription-2', status: 'Authorised' })];
/** The one that the guided path asks to approve, in a frame. */
const current = rowOf({ current: true, framed: true });
const acts = ['select', 'authorise', 'follow', 'update', 'suspend'] as const;

async function openList(given: readonly SubscriptionRow[] = rows, guided = false) {
  const running = live(authorisationMachine, { input: { facts: everything, guided } });
  await running.answer('loadRows', given);
  return { ...running, now: () => running.actor.getSnapshot() };
}

type Running = Awaited<ReturnType<typeof openList>>;

/** The actions that the list offers for a row. */
const offered = ({ now }: Running, id: string) => acts.filter((act) => now().can({ type: `subscription.${act}`, id }));

/** The failures that were in the context while the machine was in a state. */
function shownIn({ actor }: Running, isIn: (value: unknown) => boolean): Set<unknown> {
  const shown = new Set<unknown>();
  actor.subscribe(({ value, context }) => isIn(value) && shown.add(context.failure));
  return shown;
}

describe('the actions on a subscription', () => {
  it('are those that its status, its rules and its update permit; an unknown one has none', async () => {
    const list = await openList([rowOf(), { ...rows[1]!, pending }]);
    await list.send({ type: 'form.cancel' });
    expect(offered(list, 'subscription-1')).toEqual(['select', 'authorise', 'update']);
    expect(offered(list, 'subscription-2')).toEqual(['select', 'follow', 'update', 'suspend']);
    expect(offered(list, 'unknown')).toEqual([]);
  });

  it.each([
    ['selected', 'select', [], 'Debtors, creditors and payments now use Example Bacs'],
    ['suspended', 'suspend', ['readRow'], 'Suspended by you. Unsuspend it to pay'],
  ] as const)('are told once it is %s', async (_, act, then, news) => {
    const { send, answer, now } = await openList();
    await send({ type: `subscription.${act}`, id: 'subscription-2' });
    await answer(act);
    for (const port of then) await answer(port, { ...rows[1], suspended: act === 'suspend' });
    expect(newsOf(now().context)).toBe(news);
  });

  it('are told once its approval has ended', async () => {
    const { send, pass, answer, now } = await openList();
    await send({ type: 'subscription.authorise', id: 'subscription-1' });
    await pass(webhookPollInterval);
    await answer('watch', rowOf({ status: 'Authorised' }));
    expect(now()).toMatchObject({ value: { list: 'listing' }, context: { act: 'authorise', invoked: null } });
    expect(newsOf(now().context)).not.toBe('');
  });

  it('show no earlier failure in any moment', async () => {
    const list = await openList();
    await list.send({ type: 'subscription.suspend', id: 'subscription-2' });
    await list.refuse('suspend', failure);
    const shown = shownIn(list, (value) => typeof value === 'object' && value !== null && 'acting' in value);
    await list.send({ type: 'subscription.select', id: 'subscription-1' });
    expect(shown).toEqual(new Set([null]));
  });
});

describe('the approval page of a subscription', () => {
  it('is tried again only after a failure, and left for the list or altogether', async () => {
    const list = await openList();
    await list.send({ type: 'subscription.authorise', id: 'subscription-1' });
    expect(list.now().can({ type: 'retry' })).toBe(false);
    await list.pass(webhookPollInterval);
    await list.refuse('watch', failure);
    expect([list.now().can({ type: 'retry' }), list.now().context.failure]).toEqual([true, failure]);
    await list.send({ type: 'authorise.close' });
    expect(list.now()).toMatchObject({ value: { acting: 'refreshing' }, context: { invoked: null, failure: null } });
    const other = await openList();
    await other.send({ type: 'subscription.authorise', id: 'subscription-1' });
    await other.send({ type: 'form.cancel' });
    expect(other.now().output).toEqual({ type: 'cancelled' });
  });
});

describe('what the list does by itself as it is opened', () => {
  it('is done once: an update that another page sends is not awaited after the approval page was closed', async () => {
    const { send, answer, pass, now } = await openList([current], true);
    expect(now().value).toBe('approving');
    await send({ type: 'authorise.close' });
    await answer('readRow', current);
    await pass(doubleClick);
    await send({ type: 'retry' });
    await answer('loadRows', [{ ...current, pending }]);
    expect(now().value).toEqual({ list: 'listing' });
  });

  it('is done once: no approval page opens after the user has stopped waiting for an update', async () => {
    const { send, answer, now } = await openList([{ ...current, pending }], true);
    expect(now().value).toEqual({ updating: 'messaging' });
    await send({ type: 'form.cancel' });
    await send({ type: 'retry' });
    await answer('loadRows', [current]);
    expect(now().value).toEqual({ list: 'listing' });
  });
});

describe('an update of a subscription that is sent', () => {
  const held = { messageId: 'message-1', pending: true, held: true };

  it('begins without the pending one’s outcome, and its conversation is over once it was refused', async () => {
    const list = await openList([{ ...rows[1]!, pending }]);
    await list.send({ type: 'form.cancel' });
    await list.send({ type: 'subscription.update', id: 'subscription-2' });
    await list.send({ type: 'form.submit' });
    expect(messageIn(list.now().context)).toMatchObject({ messageId: '', outcome: null });
    await list.answer('send', held);
    expect(list.now()).toMatchObject({ value: { updating: 'another' }, context: { messageId: 'message-1' } });
    await list.send({ type: 'update.again' });
    await list.refuse('send', failure);
    expect(list.now()).toMatchObject({ value: { updating: 'refused' }, context: { invoked: null } });
  });

  it('shows no earlier failure in any moment when it is tried again', async () => {
    const list = await openList();
    await list.send({ type: 'subscription.update', id: 'subscription-2' });
    await list.send({ type: 'form.submit' });
    await list.refuse('send', failure);
    const shown = shownIn(list, (value) => JSON.stringify(value) === '{"updating":"messaging"}');
    await list.send({ type: 'retry' });
    expect(shown).toEqual(new Set([null]));
  });

  it('is tried again only where that can help (behaviour 10.2.5)', async () => {
    for (const [problem, isOffered] of [
      [failure, true],
      [{ ...failure, code: 'forbidden' as const }, false],
    ] as const) {
      const { send, refuse, now } = await openList();
      await send({ type: 'subscription.update', id: 'subscription-2' });
      await send({ type: 'form.submit' });
      await refuse('send', problem);
      expect(now().can({ type: 'retry' })).toBe(isOffered);
    }
  });
});
