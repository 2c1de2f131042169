import { describe, expect, it } from 'vitest';
import { failure } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';
import { accepted, elsewhere, openDebtor, sent, waits } from '#tests/support/party.ts';

async function putDebtor(running = openDebtor()) {
  const { send } = await running;
  await send({ type: 'form.change', field: 'debtorAccount.name', value: 'Example Trading Ltd' });
  await send({ type: 'form.change', field: 'debtorAgent.identification', value: '200000' });
  await send({ type: 'form.submit' });
  return running;
}

describe('the creation of a debtor', () => {
  it('ends only when the provider’s webhook has accepted it, and emits facts.changed then', async () => {
    const { answer, hear, asked, at, now, told } = await putDebtor();
    await answer('send', sent('message-9'));
    await hear(waits);
    expect(at()).toBe('messaging.waiting');
    await hear(accepted);
    expect(now()).toMatchObject({
      status: 'done',
      value: 'succeeded',
      output: { type: 'succeeded', result: { messageId: 'message-9' } },
    });
    expect(asked('askOutcome')).toEqual([{ messageId: 'message-9' }, { messageId: 'message-9' }]);
    expect(told()).toBe(0);
  });

  it('is for the subscription whose rules the form has, whichever becomes current', async () => {
    const opened = openDebtor();
    await (await opened).send({ type: 'facts.arrived', facts: elsewhere });
    const { asked, now } = await putDebtor(opened);
    expect(now().context.facts).toBe(elsewhere);
    expect(asked('send')).toMatchObject([{ subscriptionId: 'subscription-1' }]);
  });
});

describe('a message whose response was lost', () => {
  const kept = (id: string) => messageOf({ messageId: id, forwarded: false });
  const again = (id: string) => ({ type: 'message.sendAgain' as const, id });

  it('is resent from the list under its own id, and keeps the form’s values (behaviour 4.25)', async () => {
    const { answer, send, refuse, pending, now } = await openDebtor([kept('latest'), kept('older')]);
    await send({ type: 'party.another' });
    await send({ type: 'form.change', field: 'debtorAccount.name', value: 'Typed' });
    await send(again('older'));
    expect(pending('sendAgain').input).toEqual({ messageId: 'older' });
    await refuse('sendAgain', failure);
    expect(now()).toMatchObject({ value: 'unresent', context: { failure } });
    await send({ type: 'retry' });
    await answer('sendAgain', { ...kept('older'), forwarded: true });
    const { value, context } = now();
    expect([value, context.values['debtorAccount.name']]).toEqual([{ form: 'editing' }, 'Typed']);
    expect(context.pending.map(({ messageId, forwarded }) => [messageId, forwarded])).toEqual([
      ['latest', false],
      ['older', true],
    ]);
    expect([now().can(again('older')), now().can(again('latest'))]).toEqual([false, true]);
  });

  it('is resent once while it is followed, and then polled', async () => {
    const { answer, send, asked, at, message, now } = await openDebtor([kept('latest'), kept('older')]);
    await send(again('older')); // another one is followed
    await send(again('latest'));
    await send(again('latest'));
    expect(asked('sendAgain')).toEqual([{ messageId: 'latest' }]);
    await answer('sendAgain', { ...kept('latest'), forwarded: true });
    expect([at(), message().outcome]).toMatchObject(['messaging.waiting', { forwarded: true }]);
    expect(now().context.pending).toMatchObject([{ forwarded: true }, { forwarded: false }]);
  });
});
