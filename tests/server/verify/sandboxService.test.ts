import { expect, it, onTestFinished } from 'vitest';
import { sandboxService } from '#server/verify/sandboxService.ts';

it('opens each sandbox in the same situation, without what was done to the one before', async () => {
  const open = sandboxService();
  const opened = [];
  for (const webhookPort of [9, 10]) {
    const service = await open({ seed: 7, webhookPort, env: {} });
    onTestFinished(service.close);
    expect([service.calls(), service.webhooks(), await service.batches()]).toEqual([[], [], []]);
    expect(Math.abs(Date.parse((await fetch(service.url)).headers.get('date') ?? '') - Date.now())).toBeLessThan(
      20_000,
    );
    opened.push(service);
  }
  const [first, second] = opened.map(({ environment: { PAYMENTS_URL: url, ...more } }) => ({ url, more }));
  expect(second!.more).toEqual(first!.more);
  expect(second!.url).not.toBe(first!.url);
});
