import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { hasTag } from '#machines/lib/state.ts';
import { creditor, debtor, failure } from '#tests/support/fixtures.ts';
import { bodyOfDebtor, listOf, messageOf } from '#tests/support/messages.ts';
import { accepted, openCreditorQuery, openDebtor, refused, sent, waits } from '#tests/support/party.ts';

describe('a debtor that is pending when the page opens', () => {
  const put = messageOf({ messageId: 'put-1', kind: 'debtoraccountputs', data: bodyOfDebtor(debtor) });
  const values = {
    'debtorAccount.name': debtor.debtorAccountname,
    'debtorAgent.identification': debtor.debtorAgentidentification,
  };

  it('is polled again, the latest of several, with the form as it was sent', async () => {
    const { at, message, now, hear, asked } = await openDebtor([put, messageOf({ messageId: 'put-0' })]);
    expect([at(), now().context.values]).toEqual(['messaging.waiting', values]);
    expect(message()).toMatchObject({ messageId: 'put-1', outcome: put, overdue: false });
    await hear(refused);
    expect(asked('askOutcome')).toEqual([{ messageId: 'put-1' }]);
    expect(now()).toMatchObject({
      value: { form: 'refused' },
      context: { values, failure: { detail: refused.detail } },
    });
  });

  it('keeps its authorise page open, and can be left for another one, while its status cannot be read (behaviour 6.11)', async () => {
    const link = { ...waits, followed: true, authorise: 'http://provider.test/authorise/1' };
    const { send, hear, at, now, pass, refuse } = await openDebtor([put]);
    await hear(link);
    await send({ type: 'authorise.open' });
    await pass(webhookPollInterval);
    await refuse('watch', failure);
    expect([at(), now().context]).toMatchObject(['approving.unanswered', { outcome: link, failure }]);
    expect([hasTag(now(), 'form'), hasTag(now(), 'failed'), hasTag(now(), 'sent')]).toEqual([true, true, true]);
    await send({ type: 'authorise.close' });
    expect(at()).toBe('messaging.waiting');
    await send({ type: 'party.another' });
    expect(now()).toMatchObject({ value: { form: 'editing' }, context: { failure: null, messageId: '' } });
  });
});

describe('a form whose values are already pending', () => {
  async function again() {
    const running = await openDebtor();
    await running.send({ type: 'form.fill' });
    await running.send({ type: 'form.submit' });
    await running.answer('send', { messageId: 'put-1', pending: true, held: true });
    const flags = () => running.asked('send').map((input) => (input as { again: boolean }).again);
    return { ...running, flags };
  }

  it.each(['form.change', 'form.fill', 'party.another'] as const)(
    'is sent a second time only on request, which %s resets',
    async (type) => {
      const { send, answer, refuse, flags, told } = await again();
      await send({ type: 'party.again' });
      expect(flags()).toEqual([false, true]);
      if (type === 'party.another') await answer('send', sent('put-2'));
      else await refuse('send', failure);
      expect(told()).toBe(type === 'party.another' ? 0 : 1);
      await send(type === 'form.change' ? { type, field: 'debtorAccount.name', value: 'Other' } : { type });
      if (type === 'party.another') await send({ type: 'form.fill' });
      await send({ type: 'form.submit' });
      expect(flags()).toEqual([false, true, false]);
    },
  );
});

describe('a query or deletion that is pending at the start', () => {
  const deletion = messageOf({ messageId: 'deletion-1', kind: 'creditordeletes', resourceId: creditor.creditorId });
  const put = messageOf({ messageId: 'put-1', kind: 'creditorputs' });
  const query = messageOf({ messageId: 'query-1', kind: 'creditorlistqueries' });

  it('is polled: a deletion among other messages', async () => {
    const { at, message, now, hear, asked } = await openCreditorQuery([put, deletion]);
    expect([at(), now().context.resourceId]).toEqual(['deleting.waiting', creditor.creditorId]);
    expect(message()).toMatchObject({ messageId: 'deletion-1', outcome: deletion });
    await hear(accepted);
    expect(asked('askOutcome')).toEqual([{ messageId: 'deletion-1' }]);
    expect(now()).toMatchObject({ value: { list: 'ready' }, context: { pending: [put] } });
  });

  it('is polled: a query after the deletion, while another query can be sent', async () => {
    const { at, message, hear, asked, send } = await openCreditorQuery([deletion], query);
    await hear(accepted);
    expect([at(), message()]).toMatchObject([
      'querying.waiting',
      { messageId: 'query-1', outcome: query, overdue: true },
    ]);
    await send({ type: 'query.send' });
    expect([at(), message()]).toMatchObject(['querying.sending', { outcome: null, overdue: false }]);
    expect(asked('send')).toMatchObject([{ request: 'query', subscriptionId: 'subscription-1', lostQuery: '' }]);
  });

  it('shows the list and the time of the query', async () => {
    const { now, hear } = await openCreditorQuery([], query);
    await hear({ ...listOf({ creditors: [creditor] }), sentAt: '2026-11-20T09:00:00.000Z' });
    expect(now().context).toMatchObject({
      parties: [creditor],
      listed: true,
      askedAt: '2026-11-20T09:00:00.000Z',
    });
  });
});
