import { describe, expect, it } from 'vitest';
import { faultHeader } from '#contract/constants.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import type { MessageKind } from '#server/upstream/wire.ts';
import { testLab } from '../testLab.ts';
import { executionDate } from '#tests/support/executionDate.ts';

type Lab = Awaited<ReturnType<typeof testLab>>;

/** Lets time pass by steps, in which jobs follow each other. */
async function pass({ clock, settled }: Lab, ms: number) {
  for (let passed = 0; passed < ms; passed += 200) {
    clock.increment(200);
    await settled();
  }
}

const statusesTold = ({ received }: Lab, type: string) =>
  received
    .filter(({ webhook }) => webhook.type === type)
    .map(({ webhook }) => (webhook.data as { status: string }).status);

describe('a fault of an authorisation', () => {
  async function subscribed(fault: object) {
    const lab = await testLab();
    const { ruleId } = await lab.set({ on: 'authorisation', of: 'subscription', fault });
    const { body } = await lab.call('POST', pathOf('createSubscription', lab.who.organisationId), {
      body: { data: { providerId: 'provider-asks', additionalData: '{"account":"12345678"}' } },
      token: lab.who.token,
    });
    const { subscriptionId } = body.data;
    const read = async () =>
      (await lab.call('GET', `${endpoints.subscriptions}/${subscriptionId}`, { token: lab.who.token })).body;
    return { lab, ruleId, read };
  }

  it.each([
    ['approve', 'Authorised', ['AwaitingAuthorisation', 'Authorised']],
    ['reject', 'Rejected', ['AwaitingAuthorisation', 'Rejected']],
    ['cancel', 'Cancelled', ['AwaitingAuthorisation', 'Cancelled']],
    ['approveTwice', 'Authorised', ['AwaitingAuthorisation', 'Authorised', 'Authorised']],
    ['approveThenRevoke', 'Cancelled', ['AwaitingAuthorisation', 'Authorised', 'Cancelled']],
  ])('%s: the subscription is %s without its user', async (kind, status, told) => {
    const { lab, read, ruleId } = await subscribed({ kind, ms: 3000 });
    await pass(lab, 6000);
    expect((await read()).data.status).toBe(status);
    await expect.poll(() => statusesTold(lab, 'subscriptionUpdated')).toEqual(told);
    expect(lab.received.at(-1)?.headers[faultHeader]).toBe(`${kind}; rule=${ruleId}`);
  });

  it('expire: the link of the subscription expires, and a new one can be asked for', async () => {
    const { lab, read } = await subscribed({ kind: 'expire', ms: 1000 });
    await pass(lab, 600);
    const { authorise } = (await read()).links;
    await pass(lab, 2000);
    expect((await lab.call('GET', authorise)).text).toContain('This link has expired');
    expect((await read()).data.status).toBe('AwaitingAuthorisation');
    expect((await lab.call('GET', authorise)).text).toContain('Approve');
  });

  it('leaves alone what its user has decided before', async () => {
    const { lab, read } = await subscribed({ kind: 'reject', ms: 5000 });
    await pass(lab, 600);
    await lab.call('POST', (await read()).links.authorise, {
      body: new URLSearchParams({ decision: 'approve' }),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    await pass(lab, 6000);
    expect((await read()).data.status).toBe('Authorised');
  });

  it.each([
    ['approve', ['AwaitingAuthorisation', 'Authorised'], 1],
    ['approveThenRevoke', ['AwaitingAuthorisation', 'Authorised', 'Cancelled'], 0],
    ['expire', ['AwaitingAuthorisation', 'Expired'], 0],
  ])('%s: a creditor is decided about without its user', async (kind, told, kept) => {
    const lab = await testLab();
    const { subscriptionId, token } = lab.who;
    await lab.set({ on: 'put', of: 'creditor', fault: { kind: 'authorise' } });
    await lab.set({ on: 'authorisation', of: 'creditor', fault: { kind, ms: 3000 } });
    const send = (message: MessageKind, data: object) =>
      lab.call('POST', `${endpoints.messaging}/${message}`, { token, body: { data: { subscriptionId, ...data } } });
    const creditorId = '550e8400-e29b-41d4-a716-446655440000';
    await send('creditorputs', { creditorId, creditorAccount: { identification: '12345678' } });
    await pass(lab, 6000);
    await expect.poll(() => statusesTold(lab, 'creditorputs')).toEqual(told);
    await send('creditorlistqueries', {});
    const { creditors } = (await lab.webhook('creditorlistqueryresponses')).webhook.data as { creditors: object[] };
    expect(creditors).toHaveLength(kept);
  });
});

describe('a fault of a batch', () => {
  async function posted(fault: object, more: object = {}, ...others: object[]) {
    const lab = await testLab();
    const { subscriptionId, token } = lab.who;
    for (const rule of [{ on: 'batch', fault }, ...others]) await lab.set(rule);
    const payment = { instructedAmount: { amount: '1', currency: 'GBP' }, creditor: { name: 'Example Ltd' } };
    const data = {
      externalId: 'b-1',
      requestedExecutionDateTime: executionDate,
      payments: [payment, payment],
      subscriptionId,
      ...more,
    };
    const { batchId } = (await lab.call('POST', endpoints.batches, { token, body: { data } })).body.data;
    const read = () => lab.call('GET', `${endpoints.batches}/${batchId}`, { token });
    return { lab, batchId, read };
  }

  it('hold: it keeps its status until it is advanced manually', async () => {
    const { lab, batchId, read } = await posted({ kind: 'hold' });
    await pass(lab, 5000);
    const statuses: string[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      statuses.push((await read()).body.data.status);
      await lab.lab('POST', `/batches/${batchId}/step`);
      await pass(lab, 5000);
    }
    statuses.push((await read()).body.data.status);
    expect(statuses).toEqual(['Received', 'Processing', 'Completed']);
    const over = await lab.lab('POST', `/batches/${batchId}/step`);
    expect([over.status, over.body.detail]).toEqual([
      409,
      `Batch ${batchId} is Completed: no state follows automatically`,
    ]);
    expect((await lab.lab('POST', '/batches/none/step')).status).toBe(404);
    expect((await read()).headers.get(faultHeader)).toMatch(/^hold; rule=/);
  });

  it('failPayment: the payment fails with a reason, the others are completed', async () => {
    const { lab, read } = await posted({ kind: 'failPayment', index: 1 });
    await pass(lab, 2000);
    const { data, error } = (await read()).body;
    expect([data.status, data.payments.map(({ status }) => status)]).toEqual([
      'PartiallyCompleted',
      ['Completed', 'Failed'],
    ]);
    expect(error.detail).toMatchObject([{ code: 'AccountClosed', index: 1, resourceId: data.payments[1]?.paymentId }]);
  });

  it('needsApproval: a user, or the lab, must authorise it', async () => {
    const approve = { on: 'authorisation', of: 'batch', fault: { kind: 'approve', ms: 3000 } };
    const { lab, read } = await posted({ kind: 'needsApproval' }, {}, approve);
    await pass(lab, 1000);
    expect((await read()).body).toMatchObject({
      data: { status: 'AwaitingAuthorisation' },
      links: { authorise: expect.stringContaining('/provider/consents/') as unknown },
    });
    await pass(lab, 5000);
    expect((await read()).body.data.status).toBe('Completed');
  });

  it('returned: it is completed first', async () => {
    const { lab, read } = await posted({ kind: 'returned' });
    await pass(lab, 3000);
    expect((await read()).body.data.status).toBe('Returned');
    await expect.poll(() => statusesTold(lab, 'batchUpdated')).toEqual(['Processing', 'Completed', 'Returned']);
  });

  it('fileLinkDead: its file exists, but the link has expired', async () => {
    const { lab, read } = await posted({ kind: 'fileLinkDead' }, { subscriptionId: undefined, fileFormatId: 'lines' });
    await pass(lab, 1000);
    const { data, links } = (await read()).body;
    expect(data.status).toBe('PaymentFileAvailable');
    expect((await lab.call('GET', links.paymentFile)).status).toBe(410);
  });
});
