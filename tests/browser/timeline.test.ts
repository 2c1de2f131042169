import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { onboard } from '#tests/support/guidedPath.ts';
import { sharedConsole } from './shared.ts';

const { visiting, program } = sharedConsole((console) => onboard(apiAt(console.url)));
const api = () => apiAt(program().url);

const table = (page: Page) => page.getByRole('table', { name: 'Timeline' });
const rows = (page: Page, address: string) => table(page).getByRole('button', { name: address });
const state = (page: Page, word: string) => page.getByRole('status').filter({ hasText: word });

describe('the timeline', () => {
  it('is live, also over a restart of the console, without a gap or an entry twice (behaviour 10.17.5)', async () => {
    const { page } = visiting();
    await page.goto('/timeline?show=console&reads=true');
    await state(page, 'Live').waitFor();
    await api().done('getConsumerHealth');
    await rows(page, '/api/consumerapistatus').waitFor();
    expect(await program().stop('SIGTERM')).toBe(0);
    await state(page, 'Reconnecting').waitFor();
    await program().start();
    await api().done('getMessagingHealth');
    await state(page, 'Live').waitFor();
    await rows(page, '/api/consumermessagingapistatus').waitFor();
    await api()
      .done('getBanks')
      .catch(() => undefined);
    await rows(page, '/api/banks').waitFor();
    expect(await rows(page, '/api/consumerapistatus').count()).toBe(1);
    expect(await rows(page, '/api/createorganisation').count()).toBeLessThanOrEqual(1);
  });
});
