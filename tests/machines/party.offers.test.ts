import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { noDraft } from '#machines/lib/draft.ts';
import { debtor, failure } from '#tests/support/fixtures.ts';
import { bodyOfDebtor, messageOf } from '#tests/support/messages.ts';
import { openDebtor, sent, waits } from '#tests/support/party.ts';

const put = messageOf({ messageId: 'put-1', kind: 'debtoraccountputs', data: bodyOfDebtor(debtor) });
const lost = (messageId: string) => messageOf({ messageId, kind: 'debtoraccountputs', forwarded: false });
const link = { ...waits, followed: true, authorise: 'http://provider.test/authorise/1' };
const held = { messageId: 'put-1', pending: true, held: true };
const retry = { type: 'retry' } as const;
const changes = { type: 'form.change', field: 'debtorAccount.name', value: 'Ours' } as const;
const fills = { type: 'form.fill' } as const;

type Running = Awaited<ReturnType<typeof openDebtor>>;

async function filled(running: Running) {
  await running.send(fills);
  await running.send({ type: 'form.submit' });
  return running;
}

describe('the draft of a debtor', () => {
  it.each([
    ['while one is awaited', []],
    ['while the page of its provider is open', [link]],
  ])('stands in the form of another one that is begun %s', async (_, links) => {
    const { hear, send, at, now } = await openDebtor([put], { ...noDraft, fields: { 'debtorAccount.name': 'Ours' } });
    for (const outcome of links) {
      await hear(outcome);
      await send({ type: 'authorise.open' });
    }
    await send({ type: 'party.another' });
    expect([at(), Object.values(now().context.values)]).toEqual(['form.editing', ['Ours', '']]);
  });
});

describe('the confirmation of a second debtor with the same values', () => {
  const open = async () => {
    const running = await filled(await openDebtor());
    await running.answer('send', held);
    await running.send({ type: 'party.again' });
    return running;
  };

  it('is taken back by a change after a lost message could not be resent', async () => {
    const running = await openDebtor([lost('put-0')]);
    await running.send({ type: 'party.another' });
    await filled(running);
    await running.answer('send', held);
    await running.send({ type: 'party.again' });
    await running.refuse('send', failure);
    await running.send({ type: 'message.sendAgain', id: 'put-0' });
    await running.refuse('sendAgain', failure);
    expect(running.at()).toBe('unresent');
    await running.send({ ...changes, value: 'Typed' });
    await running.send({ type: 'form.submit' });
    expect(running.pending('send').input).toMatchObject({ again: false });
  });

  it.each([changes, fills])('is taken back by $type in the form after another message was resent', async (event) => {
    const running = await openDebtor([lost('put-0')]);
    await running.send({ type: 'party.another' });
    await filled(running);
    await running.answer('send', held);
    await running.send({ type: 'party.again' });
    await running.refuse('send', failure);
    await running.send({ type: 'message.sendAgain', id: 'put-0' });
    await running.answer('sendAgain', { ...lost('put-0'), forwarded: true });
    expect([running.at(), running.now().context.again]).toEqual(['form.editing', true]);
    await running.send(event);
    await running.send({ type: 'form.submit' });
    expect(running.pending('send').input).toMatchObject({ again: false });
  });

  it('stands while the same request is tried again, and is over once its answer is awaited elsewhere', async () => {
    const { refuse, send, pending, answer, at } = await open();
    await refuse('send', failure);
    await send(retry);
    expect(pending('send').input).toMatchObject({ again: true });
    await answer('send', held);
    expect(at()).toBe('pending');
    await send(changes);
    await send({ type: 'form.submit' });
    expect(pending('send').input).toMatchObject({ again: false });
  });

  it.each([
    ['while it is awaited', []],
    ['while the provider’s page is open', [link]],
  ])('is over in the form of another one that is begun %s, with the same values', async (_, links) => {
    const { answer, hear, send, pending } = await open();
    await answer('send', sent('put-2'));
    for (const outcome of links) {
      await hear(outcome);
      await send({ type: 'authorise.open' });
    }
    await send({ type: 'party.another' });
    await send({ type: 'form.submit' });
    expect(pending('send').input).toMatchObject({ again: false });
  });
});

describe('the form of a debtor', () => {
  it('is edited on once it is filled in after a refusal', async () => {
    const running = await filled(await openDebtor());
    await running.refuse('send', failure);
    await running.send(fills);
    expect(running.at()).toBe('form.editing');
  });

  it('beside a message that could not be resent lets another one be resent, and shows its errors', async () => {
    const { send, refuse, asked, now } = await openDebtor([lost('put-1'), lost('put-2')]);
    await send({ type: 'party.another' });
    for (const id of ['put-1', 'put-2']) {
      await send({ type: 'message.sendAgain', id });
      await refuse('sendAgain', failure);
    }
    expect(asked('sendAgain')).toEqual([{ messageId: 'put-1' }, { messageId: 'put-2' }]);
    await send({ type: 'form.submit' });
    expect(now().context.errors.map(({ id }) => id)).toEqual(['debtorAccount.name', 'debtorAgent.identification']);
  });
});

it('a debtor whose provider’s page is open keeps the latest link in its message', async () => {
  const { hear, send, pass, answer, now } = await openDebtor([put]);
  await hear(link);
  await send({ type: 'authorise.open' });
  await pass(webhookPollInterval);
  await answer('watch', { ...link, authorise: 'http://provider.test/authorise/2' });
  for (const known of [now().context.outcome, now().context.pending[0]])
    expect(known?.authorise).toBe('http://provider.test/authorise/2');
});
