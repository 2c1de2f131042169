import { describe, expect, it } from 'vitest';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import { newsOf, type SubscriptionRow } from '#machines/subscription/rows.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { everything } from '#tests/support/facts.ts';
import { messageOf } from '#tests/support/messages.ts';
import { rowOf } from './subscription.models.ts';

const pending = messageOf({ kind: 'updates', data: { properties: { serviceUserNumber: '111111' } } });
const rows = [rowOf(), rowOf({ subscriptionId: 'subscription-2', status: 'Authorised' })];
/** The one that the guided path asks to approve, in a frame. */
const current = rowOf({ current: true, framed: true });

async function openList(given: readonly SubscriptionRow[] = rows, guided = false) {
  const running = live(authorisationMachine, { input: { facts: everything, guided } });
  await running.answer('loadRows', given);
  return { ...running, now: () => running.actor.getSnapshot() };
}

describe('the actions on a subscription', () => {
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
