import { describe, expect, it } from 'vitest';
import { bodyOf, creditorId, creditorsOf, decided, messageOf, put } from '#tests/support/creditorMessages.ts';
import { notified, subscriptionId } from '#tests/support/consoleWithWebhooks.ts';

type Console = Awaited<ReturnType<typeof notified>>;

describe('Overlapping messages about one creditor', () => {
  const both = async () => {
    const console = await notified();
    const [first, second] = [await put(console, 'First'), await put(console, 'Second')];
    const answer = (interactionId: string, status: string) => console.notify(decided(status, { interactionId }));
    return { ...console, console, first, second, answer };
  };

  it.each([
    ['Accepted', 'Accepted', ['Second']],
    ['Accepted', 'Rejected', ['First']],
    ['Rejected', 'Accepted', ['Second']],
    ['Rejected', 'Rejected', []],
  ])('answered %s and %s in any order, also twice, leave the latest accepted creditor', async (one, other, kept) => {
    for (const isReversed of [false, true]) {
      const { console, first, second, answer } = await both();
      const answers = [() => answer(first, one), () => answer(second, other)];
      for (const send of isReversed ? answers.reverse() : answers) {
        await send();
        await send();
      }
      expect(await creditorsOf(console)).toEqual(kept);
      expect(await console.unread()).toEqual([]);
    }
  });

  it.each([
    ['Accepted', 'Rejected', ['First']],
    ['Rejected', 'Accepted', ['Second']],
  ])('answered %s and %s without interaction ids are decided in the order of sending', async (one, other, kept) => {
    const { console, notify } = await both();
    await notify(decided(one));
    await notify(decided(other));
    expect(await creditorsOf(console)).toEqual(kept);
  });

  it('are distinguished by the values that the webhook repeats', async () => {
    const { console, notify, first, second } = await both();
    await notify(decided('Accepted', {}, { creditor: { name: 'Second' } }));
    expect(await messageOf(console, first)).toMatchObject({ state: 'waiting' });
    expect(await messageOf(console, second)).toMatchObject({ state: 'accepted' });
    await notify(decided('Accepted', {}, { creditor: { name: 'First' } }));
    expect(await creditorsOf(console)).toEqual(['Second']);
  });

  it('do not restore a deleted creditor by a late webhook about its put or an older list (threat 5.11)', async () => {
    const console = await notified();
    const { server, notify } = console;
    const first = await put(console, 'First');
    const { messageId: query } = await server.done('queryCreditors', { body: { data: { subscriptionId } } });
    const { messageId } = await server.done('deleteCreditor', { body: { data: { subscriptionId, creditorId } } });
    await notify({ ...decided('Accepted', { interactionId: messageId }), type: 'creditordeletes' });
    await notify(decided('Accepted', { interactionId: first }));
    await notify({
      type: 'creditorlistqueryresponses',
      subscriptionId,
      interactionId: query,
      data: { creditors: [bodyOf('First')] },
    });
    expect(await creditorsOf(console)).toEqual([]);
  });
});

describe('Creditor queries', () => {
  const listing = (name: string, interactionId?: string) => ({
    type: 'creditorlistqueryresponses',
    subscriptionId,
    ...(interactionId !== undefined && { interactionId }),
    data: { creditors: [bodyOf(name)] },
  });
  const ask = async ({ server }: Console) =>
    (await server.done('queryCreditors', { body: { data: { subscriptionId } } })).messageId;

  it('that the provider refuses report the reason', async () => {
    const console = await notified();
    const query = await ask(console);
    await console.notify({ ...listing(''), data: { status: 'Rejected', errors: [{ path: '', message: 'no' }] } });
    expect(await messageOf(console, query)).toMatchObject({ state: 'refused', detail: 'no' });
    expect(await console.unread()).toEqual([]);
  });
});
