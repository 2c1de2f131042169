import { describe, expect, it } from 'vitest';
import { problem } from '#server/upstream/answers.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { testSandbox } from './harness.ts';

describe('the sandbox', () => {
  it('answers problems in the shape of the wire: unknown address, wrong method, broken JSON (wire 14.2)', async () => {
    const sandbox = await testSandbox();
    expect(problem.parse((await sandbox.call('GET', '/v3/nothing')).body).status).toBe(404);
    expect(problem.parse((await sandbox.call('DELETE', endpoints.providers)).body).status).toBe(405);
    const { token } = await sandbox.onboard();
    const broken = await fetch(sandbox.url() + endpoints.batches, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{',
    });
    expect(problem.parse(await broken.json())).toMatchObject({ status: 400 });
  });

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

  it('is emptied by a reset and keeps running', async () => {
    const sandbox = await testSandbox();
    const { token, subscriptionId } = await sandbox.authorised();
    const reset = (token: string) => sandbox.call('POST', '/sandbox/reset', { body: { token } });
    expect((await sandbox.call('POST', '/sandbox/reset')).status).toBe(400);
    expect((await reset('guessed')).status).toBe(403);
    expect((await reset(sandboxCredentials.resetToken)).status).toBe(204);
    const read = await sandbox.call('GET', `${endpoints.subscriptions}/${subscriptionId}`, { token });
    expect(read.body).toMatchObject({ status: 401, detail: 'The company of this token does not exist' });
    expect((await sandbox.authorised()).subscriptionId).not.toBe(subscriptionId);
  });
});
