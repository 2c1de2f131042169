import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { creditor, failure } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';
import { openCreditorQuery } from '#tests/support/party.ts';

const lost = (messageId: string) => messageOf({ messageId, kind: 'creditorputs', forwarded: false });

describe('a message of the creditors page whose response was lost', () => {
  it('is resent under its own id, of several the chosen one, until the service has it', async () => {
    const { send, refuse, answer, asked, at, now, told } = await openCreditorQuery([lost('put-1'), lost('put-2')]);
    await send({ type: 'message.sendAgain', id: 'put-2' });
    await refuse('sendAgain', failure);
    expect([at(), now().context.failure]).toEqual(['list.unresent', failure]);
    await send({ type: 'retry' });
    expect([at(), now().context.failure]).toEqual(['resending.resending', null]);
    await answer('sendAgain', { ...lost('put-2'), forwarded: true });
    expect(asked('sendAgain')).toEqual([{ messageId: 'put-2' }, { messageId: 'put-2' }]);
    expect(now().context.pending).toMatchObject([
      { messageId: 'put-1', forwarded: false },
      { messageId: 'put-2', forwarded: true },
    ]);
    expect([at(), now().context.invoked, told()]).toEqual(['list.ready', null, 1]);
  });
});

it('a query that was pending is not asked for again once the user has gone on to a deletion', async () => {
  const query = messageOf({ messageId: 'query-1', kind: 'creditorlistqueries' });
  const { pass, refuse, send, at } = await openCreditorQuery([], query, [creditor]);
  await pass(webhookPollInterval);
  await refuse('askOutcome', failure);
  await send({ type: 'party.delete', id: creditor.creditorId });
  await send({ type: 'delete.dismiss' });
  expect(at()).toBe('list.ready');
  await send({ type: 'query.send' });
  expect(at()).toBe('querying.sending');
});
