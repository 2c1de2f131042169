import { describe, expect, it } from 'vitest';
import { endpoints } from '#server/upstream/wire.ts';
import { testSandbox } from './harness.ts';

describe('the sandbox', () => {
  it('refuses a caller above the rate, with the time to wait (wire 13.1)', async () => {
    const sandbox = await testSandbox({ rate: { perSecond: 0.5, burst: 2 } });
    const get = () => sandbox.call('GET', endpoints.consumerStatus);
    expect([(await get()).status, (await get()).status]).toEqual([200, 200]);
    const refused = await get();
    expect({ status: refused.status, wait: refused.headers.get('retry-after') }).toEqual({ status: 429, wait: '2' });
    sandbox.clock.increment(2000);
    expect((await get()).status).toBe(200);
    expect((await sandbox.call('GET', '/')).status).toBe(200);
  });

  it('keeps tokens, pending steps and webhooks over a restart (wire 22.1)', async () => {
    const sandbox = await testSandbox();
    const who = await sandbox.onboard();
    const { subscriptionId } = (await sandbox.subscribe(who, 'authorises')).body.data;
    await sandbox.restart(1000);
    expect(sandbox.received).toHaveLength(0);
    sandbox.clock.increment(0);
    const read = await sandbox.call('GET', `${endpoints.subscriptions}/${subscriptionId}`, { token: who.token });
    expect(read.body.data.status).toBe('Authorised');
    await sandbox.restart();
    expect((await sandbox.webhook('subscriptionUpdated')).webhook.subscriptionId).toBe(subscriptionId);
  });
});
