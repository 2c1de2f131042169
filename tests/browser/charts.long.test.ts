import { describe, expect, it } from 'vitest';
import { faultsOf, settled } from './screen.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole();

describe('the charts', () => {
  it('are accessible in light and dark colours, and fit a narrow window', async () => {
    const { page } = visiting();
    // Beside a step: inspector.long.test.ts.
    for (const path of ['/journeys', '/journeys/debtor?at=answering.waiting']) {
      await page.goto(path);
      await page.locator('[data-state], [data-journey]').first().waitFor();
      await settled(page);
      expect(await faultsOf(page), path).toEqual([]);
    }
  });
});
