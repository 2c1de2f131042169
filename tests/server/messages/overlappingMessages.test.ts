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

  it('that overlap get a response each, and reading one leaves the other unread', async () => {
    const console = await notified();
    const { server, notify } = console;
    const [one, other] = [await ask(console), await ask(console)];
    await notify(listing('other', other), { id: 'other' });
    expect(await messageOf(console, one)).toMatchObject({ state: 'waiting' });
    await notify(listing('one', one), { id: 'one' });
    expect((await messageOf(console, one)).webhook?.id).toBe('one');
    expect((await messageOf(console, other)).webhook?.id).toBe('other');
    await server.done('setSetting', { body: { key: 'webhookData', value: '["one"]' } });
    expect((await console.unread()).map(({ id }) => id)).toEqual(['other']);
    expect((await messageOf(console, other)).webhook?.id).toBe('other');
  });

  it('that overlap share a webhook without an interaction id, also after one tab has read it', async () => {
    const console = await notified();
    const [one, other] = [await ask(console), await ask(console)];
    await console.notify(listing('both'), { id: 'both' });
    await console.server.done('setSetting', { body: { key: 'webhookData', value: '["both"]' } });
    expect(await console.unread()).toEqual([]);
    for (const query of [one, other]) expect((await messageOf(console, query)).webhook?.id).toBe('both');
  });

  it('ignore older webhooks and those of another subscription', async () => {
    const console = await notified();
    await console.notify(listing('stale'));
    const query = await ask(console);
    await console.notify({ ...listing('foreign'), subscriptionId: 'another' });
    expect(await messageOf(console, query)).toMatchObject({ state: 'waiting' });
  });

  it('that the provider refuses report the reason', async () => {
    const console = await notified();
    const query = await ask(console);
    await console.notify({ ...listing(''), data: { status: 'Rejected', errors: [{ path: '', message: 'no' }] } });
    expect(await messageOf(console, query)).toMatchObject({ state: 'refused', detail: 'no' });
    expect(await console.unread()).toEqual([]);
  });
});
