// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { UnreadWebhooks } from '#app/tools/timeline/UnreadWebhooks.tsx';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { renderPage } from '#tests/support/page.tsx';

const webhook = {
  id: 'msg_1',
  receivedAt: '2026-11-20T09:00:00Z',
  type: 'creditorlistqueryresponses',
  subscriptionId: 'nobody',
};
const one = { data: [webhook], total: 1, lost: 0 };
const region = { name: 'Unread webhooks' };

describe('unread webhooks', () => {
  beforeEach(() => {
    server.made.length = 0;
  });

  it('are listed until they are marked as read (threat 5.9)', async () => {
    let page: object = one;
    server.answers = {
      listWebhooks: () => page,
      setSetting: () => ((page = { data: [], total: 0, lost: 0 }), {}),
    };
    renderPage(<UnreadWebhooks />);
    const list = await screen.findByRole('region', region);
    expect(list.textContent).toContain('1 webhook not read by any page yet');
    expect(list.textContent).toContain('nobody');
    expect(list.textContent).not.toContain('deleted');
    await userEvent.click(screen.getByRole('button', { name: 'Mark as read' }));
    expect(requests('setSetting').map(({ body }) => body)).toEqual([{ key: 'webhookData', value: '["msg_1"]' }]);
    await vi.waitFor(() => expect(screen.queryByRole('region', region)).toBeNull());
  });

  it('are listed by pages, with their total and the number of dropped ones (threat 5.10)', async () => {
    server.answers = { listWebhooks: () => ({ ...one, total: 200, next: 'msg_1', lost: 3 }) };
    renderPage(<UnreadWebhooks />);
    const { textContent } = await screen.findByRole('region', region);
    expect(textContent).toContain('200 webhooks not read by any page yet');
    expect(textContent).toContain('Shows the latest 1.');
    expect(textContent).toContain('3 webhooks deleted because too many were unread.');
  });
});
