import { describe, expect, it } from 'vitest';
import { unreadWebhooksMachine } from '#machines/lab/unreadWebhooks.machine.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

const page = { data: [{ id: 'msg_2' }, { id: 'msg_1' }], total: 2, lost: 0 };
const read = { type: 'facts.arrived' };
const mark = { type: 'webhooks.mark' };

describe('the unread webhooks', () => {
  it('are marked as read once, as they are shown, and read again afterwards (threat 5.9)', async () => {
    const { sends, answer, at, pending, calls, context } = run(unreadWebhooksMachine);
    await answer('read', page);
    await sends(mark);
    await sends(mark);
    await sends(read);
    expect([at(), pending('mark').input, calls.length]).toEqual(['marking', ['msg_2', 'msg_1'], 2]);
    await answer('mark', undefined);
    await answer('read', { ...page, data: [], total: 0 });
    expect([at(), context()['page']]).toEqual(['shown', { data: [], total: 0, lost: 0 }]);
  });

  it('are read again with the facts, also while they are being read', async () => {
    const { sends, answer, at, calls } = run(unreadWebhooksMachine);
    await sends(read);
    await answer('read', page);
    await sends(read);
    await answer('read', page);
    expect([at(), calls.length]).toEqual(['shown', 3]);
  });

  it('stay shown if they could not be marked or read, and can be marked then', async () => {
    const { sends, answer, refuse, at, context } = run(unreadWebhooksMachine);
    await answer('read', page);
    await sends(mark);
    await refuse('mark', failure);
    expect([at(), context()['page'], context()['failure']]).toEqual(['failed', page, failure]);
    await sends(read);
    await refuse('read', failure);
    await sends(mark);
    expect(at()).toBe('marking');
  });

  it('are not marked before any was shown', async () => {
    const { sends, refuse, at, calls } = run(unreadWebhooksMachine);
    await refuse('read', failure);
    await sends(mark);
    expect([at(), calls.length]).toEqual(['failed', 1]);
  });
});

describeWatched(unreadWebhooksMachine);
