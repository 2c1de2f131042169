import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { debtor, failure } from '#tests/support/fixtures.ts';
import { bodyOfDebtor, messageOf } from '#tests/support/messages.ts';
import { beginDebtor, openDebtor, refused, waits } from '#tests/support/party.ts';

const put = messageOf({ messageId: 'put-1', kind: 'debtoraccountputs', data: bodyOfDebtor(debtor) });
const link = { ...waits, followed: true, authorise: 'http://provider.test/authorise/1' };
const lost = (messageId: string) => messageOf({ messageId, kind: 'debtoraccountputs', forwarded: false });
const nameField = 'debtorAccount.name';

/** A debtor whose provider's page is open, and whose status can no longer be read. */
async function unreadApproval() {
  const running = await openDebtor([put]);
  await running.hear(link);
  await running.send({ type: 'authorise.open' });
  await running.pass(webhookPollInterval);
  await running.refuse('watch', failure);
  expect([running.at(), running.now().context.failure]).toEqual(['approving.unanswered', failure]);
  return running;
}

describe('a debtor whose approval cannot be read', () => {
  it('is asked for again on a retry', async () => {
    const { send, pass, at, now, asked } = await unreadApproval();
    await send({ type: 'retry' });
    expect([at(), now().context.failure]).toEqual(['approving.waiting', null]);
    await pass(webhookPollInterval);
    expect(asked('watch')).toHaveLength(2);
  });

  it('can be left for another one, whose form is empty and sent as a new message', async () => {
    const { send, at, now, asked } = await unreadApproval();
    await send({ type: 'party.another' });
    expect(at()).toBe('form.editing');
    expect(now().context).toMatchObject({ failure: null, messageId: '', invoked: null });
    expect(Object.values(now().context.values)).toEqual(['', '']);
    await send({ type: 'form.fill' });
    await send({ type: 'form.submit' });
    expect(asked('send')).toMatchObject([{ again: false }]);
  });
});

describe('a debtor that the provider has refused', () => {
  it.each([
    [{ type: 'form.change', field: nameField, value: 'Other' } as const, put, 'Other'],
    // What is missing is filled in.
    [{ type: 'form.fill' } as const, { ...put, data: {} }, debtor.debtorAccountname],
  ])('is corrected by $type, and sent anew', async (event, sent, name) => {
    const { send, hear, at, now, pending } = await openDebtor([sent]);
    await hear(refused);
    expect(at()).toBe('form.refused');
    await send(event);
    expect([at(), now().context.values[nameField]]).toEqual(['form.editing', name]);
    await send({ type: 'form.submit' });
    expect(pending('send').input).toMatchObject({ again: false });
  });
});

describe('debtors whose responses were lost', () => {
  it('are resent one after the other, each under its own id, and emit facts.changed once known', async () => {
    const { send, refuse, answer, asked, at, told } = await openDebtor([lost('put-1'), lost('put-2')]);
    await send({ type: 'party.another' });
    await send({ type: 'message.sendAgain', id: 'put-1' });
    await refuse('sendAgain', failure);
    expect(at()).toBe('unresent');
    await send({ type: 'message.sendAgain', id: 'put-2' });
    expect(asked('sendAgain')).toEqual([{ messageId: 'put-1' }, { messageId: 'put-2' }]);
    const before = told();
    await answer('sendAgain', { ...lost('put-2'), forwarded: true });
    expect([at(), told() - before]).toEqual(['form.editing', 1]);
  });
});

it('the form of a debtor whose rules could not be read says why', async () => {
  const { refuse, at, now } = beginDebtor();
  await refuse('loadRules', failure);
  expect([at(), now().context.failure]).toEqual(['unavailable', failure]);
});
