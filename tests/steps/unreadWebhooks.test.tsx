// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CallsPanel } from '#app/CallsPanel.tsx';
import { requests, server } from '#tests/support/answers.ts';
import { everything } from '#tests/support/facts.ts';
import { renderPage } from '#tests/support/page.tsx';

vi.mock('#app/client.ts', async () => ({ call: (await import('#tests/support/answers.ts')).call }));

const webhook = {
  id: 'msg_1',
  receivedAt: '2026-11-20T09:00:00Z',
  type: 'creditorlistqueryresponses',
  subscriptionId: 'nobody',
};

describe('webhooks that nobody waited for', () => {
  let webhookData = '';
  beforeEach(() => {
    server.made.length = 0;
    webhookData = JSON.stringify([webhook]);
  });
  const load = () => Promise.resolve({ ...everything, settings: { ...everything.settings, webhookData } });

  it('are seen in the panel of calls until they are marked as read', async () => {
    server.answers = { setSetting: () => ((webhookData = ''), {}) };
    renderPage(<CallsPanel onClose={() => {}} />, { load });
    const list = await screen.findByRole('region', { name: 'Webhooks that nobody has read' });
    expect(list.textContent).toContain('1 webhook arrived');
    expect(list.textContent).toContain('nobody');
    await userEvent.click(screen.getByRole('button', { name: 'Mark as read' }));
    expect(requests('setSetting').map(({ body }) => body)).toEqual([{ key: 'webhookData', value: '["msg_1"]' }]);
    await vi.waitFor(() => expect(screen.queryByRole('region', { name: /nobody has read/ })).toBeNull());
  });
});
