import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { testLab } from '../testLab.ts';
import { executionDate } from '#tests/support/executionDate.ts';

const minute = 60_000;

async function ready() {
  const lab = await testLab();
  const { token, subscriptionId } = lab.who;
  const shift = async (change: object) => {
    const { body } = await lab.lab('PATCH', '/clock', change);
    lab.clock.increment(0); // a timer that is due ends
    return body.data as unknown as Time; // the answer to this call
  };
  const post = async (more: object) => {
    const data = {
      externalId: 'b-1',
      requestedExecutionDateTime: executionDate,
      payments: [{ instructedAmount: { amount: '120.50', currency: 'GBP' }, creditor: { name: 'Example Ltd' } }],
      ...more,
    };
    return (await lab.call('POST', endpoints.batches, { token, body: { data } })).body.data.batchId;
  };
  const read = (batchId: string) => lab.call('GET', `${endpoints.batches}/${batchId}`, { token });
  const statusOf = async (batchId: string) => (await read(batchId)).body.data.status;
  return { ...lab, sandbox: lab, shift, post, read, statusOf, electronic: { subscriptionId } };
}

/** What the sandbox says of its clock. */
interface Time {
  now: string;
  offset: number;
  still: boolean;
  pending: number;
}

describe('the clock of the sandbox', () => {
  it('is moved, and tokens follow it', async () => {
    const { shift, statusOf, post, read, electronic, clock } = await ready();
    const batchId = await post(electronic);
    await shift({ move: 19 * minute });
    expect(await statusOf(batchId)).toBe('Processing');
    const { now, offset, still } = await shift({ move: minute });
    expect([offset, still]).toEqual([20 * minute, false]);
    expect(Date.parse(now) - clock.now()).toBe(20 * minute);
    expect(await read(batchId)).toMatchObject({ status: 401, body: { detail: 'The token has expired' } });
    await shift({ move: -minute });
    expect((await read(batchId)).status).toBe(200);
  });

  it('says exactly by how much it was moved while the machine’s time goes on', async () => {
    const { shift, clock } = await ready();
    let passed = 0;
    Object.assign(clock, { steady: () => clock.now() + (passed += 1) });
    expect(await shift({ move: minute })).toMatchObject({ offset: minute });
  });

  it('is moved, and links to payment files follow it', async () => {
    const { shift, post, read, call } = await ready();
    const batchId = await post({ fileFormatId: 'lines' });
    await shift({ move: 1000 });
    const { paymentFile } = (await read(batchId)).body.links;
    expect((await call('GET', paymentFile)).status).toBe(200);
    await shift({ move: 5 * minute });
    expect((await call('GET', paymentFile)).status).toBe(410);
  });

  it('stands still: nothing becomes due until it runs again, from the same time', async () => {
    const { shift, post, statusOf, electronic, clock } = await ready();
    const { now } = await shift({ still: true });
    const batchId = await post(electronic);
    clock.increment(10 * minute);
    expect(await statusOf(batchId)).toBe('Received');
    expect(await shift({ still: false })).toEqual({
      now,
      offset: -10 * minute,
      still: false,
      pending: 1,
      everyDay: true,
    });
    clock.increment(400);
    expect(await statusOf(batchId)).toBe('Processing');
  });

  it('says how many webhooks, decisions and steps wait for their time', async () => {
    const { shift, post, electronic } = await ready();
    const pending = async (change: object) => (await shift(change)).pending;
    expect(await pending({ still: true })).toBe(0);
    await post(electronic);
    await post(electronic);
    expect(await pending({})).toBe(2);
    await pending({ move: minute, still: false });
    await expect.poll(() => pending({ move: minute })).toBe(0);
  });

  it('is moved step by step while it stands still', async () => {
    const { shift, post, statusOf, electronic } = await ready();
    await shift({ still: true });
    const batchId = await post(electronic);
    await shift({ move: 400 });
    await shift({ still: false });
    expect(await statusOf(batchId)).toBe('Processing');
  });

  it('is moved back, and what was already due occurs at once', async () => {
    const { shift, post, statusOf, electronic } = await ready();
    const batchId = await post(electronic);
    await shift({ move: -60 * minute });
    expect(await statusOf(batchId)).toBe('Processing');
  });

  it('does not move the timestamps of webhooks, which their receivers check', async () => {
    const { shift, sandbox, who, call } = await ready();
    await shift({ move: 19 * minute });
    await call('PATCH', `${endpoints.subscriptions}/${who.subscriptionId}`, {
      token: who.token,
      body: { data: { suspendedByConsumer: true } },
    });
    const { text, headers } = await sandbox.webhook('subscriptionUpdated');
    const signed = headers as Record<string, string>; // none of these headers repeats
    expect(new Webhook(sandboxCredentials.webhookSecret).verify(text, signed)).toBeTruthy();
  });

  it('keeps its offset over a restart, until it is reset or the sandbox is emptied', async () => {
    const { shift, sandbox, lab } = await ready();
    const offset = async () => ((await lab('GET', '/clock')).body.data as unknown as Time).offset; // the answer to this call
    await shift({ move: minute, still: true });
    await sandbox.restart();
    expect(await offset()).toBe(minute);
    expect((await lab('DELETE', '/clock')).body.data).toMatchObject({ offset: 0, still: false });
    await shift({ move: minute });
    await lab('POST', '/reset', { token: sandboxCredentials.resetToken });
    expect(await offset()).toBe(0);
  });

  it('refuses invalid values, and says what would be right', async () => {
    const { lab } = await ready();
    for (const change of [{ move: 'later' }, { move: 1.5 }, { move: 1e15 }]) {
      const { status, body } = await lab('PATCH', '/clock', change);
      expect([status, body.detail]).toEqual([400, expect.stringContaining('move: a whole number of ms')]);
    }
    expect((await lab('PATCH', '/clock', { stop: true })).status).toBe(400);
  });
});
