import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { creditor, failure } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';
import { openCreditorQuery, refused, sent } from '#tests/support/party.ts';

const other = { ...creditor, creditorId: 'creditor-2' };
const lost = (messageId: string) => messageOf({ messageId, kind: 'creditorputs', forwarded: false });

/** Two rows, and a message about which the console learns nothing. */
async function unanswered(of: 'query' | 'deletion') {
  const running = await openCreditorQuery([], null, [creditor, other]);
  if (of === 'query') await running.send({ type: 'query.send' });
  else {
    await running.send({ type: 'party.delete', id: creditor.creditorId });
    await running.send({ type: 'delete.confirm' });
  }
  await running.answer('send', sent(`${of}-1`));
  await running.pass(webhookPollInterval);
  await running.refuse('askOutcome', failure);
  return running;
}

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

describe.each(['query', 'deletion'] as const)('a %s whose answer cannot be read', (of) => {
  it('lets another row be deleted, without the failure', async () => {
    const { send, at, now, pending } = await unanswered(of);
    expect(now().context.failure).toEqual(failure);
    await send({ type: 'party.delete', id: other.creditorId });
    expect([at(), now().context.failure, now().context.invoked]).toEqual(['confirming', null, null]);
    await send({ type: 'delete.confirm' });
    expect(pending('send').input).toMatchObject({ request: 'delete', id: other.creditorId });
  });

  it('lets a query be sent, without the failure', async () => {
    const { send, at, now, pending } = await unanswered(of);
    await send({ type: 'query.send' });
    expect([at(), now().context.failure]).toEqual(['querying.sending', null]);
    expect(pending('send').input).toMatchObject({ request: 'query' });
  });
});

describe('a deletion that is not executed', () => {
  it.each([
    [
      'not sent',
      async (running: Awaited<ReturnType<typeof openCreditorQuery>>) => running.refuse('send', failure),
      failure,
    ],
    [
      'refused by the provider',
      async ({ answer, hear }: Awaited<ReturnType<typeof openCreditorQuery>>) => {
        await answer('send', sent('deletion-1'));
        await hear(refused);
      },
      { code: 'upstream-refused', detail: refused.detail },
    ],
  ])('emits facts.changed and says why if it is %s', async (_, fails, reason) => {
    const running = await openCreditorQuery([], null, [creditor]);
    await running.send({ type: 'party.delete', id: creditor.creditorId });
    await running.send({ type: 'delete.confirm' });
    await fails(running);
    expect([running.at(), running.told()]).toEqual(['list.refused', 1]);
    expect(running.now().context.failure).toMatchObject(reason);
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
