import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { isAwaited, isForwarded, isSent, messageIn } from '#machines/lib/messaging.ts';
import { noAnswer } from '#machines/lib/messageOutcome.ts';
import { debtor, failure } from '#tests/support/fixtures.ts';
import { bodyOfDebtor, messageOf } from '#tests/support/messages.ts';
import { openDebtor, sent, waits } from '#tests/support/party.ts';

const put = messageOf({ messageId: 'put-1', kind: 'debtoraccountputs', data: bodyOfDebtor(debtor) });
const link = { ...waits, followed: true, authorise: 'http://provider.test/authorise/1' };

const filled = async () => {
  const running = await openDebtor();
  await running.send({ type: 'form.fill' });
  await running.send({ type: 'form.submit' });
  return running;
};
const unread = async (pending = put) => {
  const running = await openDebtor([pending]);
  await running.pass(webhookPollInterval);
  await running.refuse('askOutcome', failure);
  return running;
};
const approving = async () => {
  const running = await openDebtor([put]);
  await running.hear(link);
  await running.send({ type: 'authorise.open' });
  return running;
};
const unreadApproval = async () => {
  const running = await approving();
  await running.pass(webhookPollInterval);
  await running.refuse('watch', failure);
  return running;
};

/** Situations of a debtor: whether its message is no longer being sent, whether its answer is awaited, whether it is known to be sent. */
const situations = {
  'an open form': [openDebtor, false, false, false],
  'a message that is being sent': [filled, false, false, false],
  'a message that is awaited': [() => openDebtor([put]), true, true, false],
  'a message whose status could not be read': [unread, true, false, true],
  'a lost message whose status could not be read': [() => unread({ ...put, forwarded: false }), true, false, false],
  'an open approval page': [approving, true, true, true],
  'an approval page whose status could not be read': [unreadApproval, true, false, true],
} as const;

describe('what the page shows of a message', () => {
  it.each(Object.entries(situations))('follows from where it is: %s', async (_, [open, forwarded, awaited, known]) => {
    const snapshot = (await open()).now();
    expect([isForwarded(snapshot), isAwaited(snapshot), isSent(snapshot, failure)]).toEqual([
      forwarded,
      awaited,
      known,
    ]);
  });

  it('is not that it was sent where the failure is of the message itself', async () => {
    const snapshot = (await unread()).now();
    expect(isSent(snapshot, { ...failure, outcome: 'unknown' })).toBe(false);
  });

  it('is nothing before there is one, and nothing of an approval page', async () => {
    const nothing = { ...noAnswer, already: false };
    expect(messageIn((await openDebtor()).now().context)).toEqual(nothing);
    expect(messageIn((await approving()).now().context)).toEqual(nothing);
    const running = await filled();
    await running.answer('send', sent('put-9'));
    expect(messageIn(running.now().context)).toMatchObject({ messageId: 'put-9', overdue: false, already: false });
  });
});
