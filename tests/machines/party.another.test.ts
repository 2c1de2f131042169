import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { debtor, failure } from '#tests/support/fixtures.ts';
import { bodyOfDebtor, messageOf } from '#tests/support/messages.ts';
import { openDebtor, waits } from '#tests/support/party.ts';

const put = messageOf({ messageId: 'put-1', kind: 'debtoraccountputs', data: bodyOfDebtor(debtor) });
const link = { ...waits, followed: true, authorise: 'http://provider.test/authorise/1' };

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
