import { describe, expect, it } from 'vitest';
import { wasDone } from '#machines/journeys.ts';
import { payBlocked, payLabel, settledIn, type OutgoingPayment } from '#machines/payment/payment.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { openPayment, review } from './payment.running.ts';

const lost = { ...failure, outcome: 'unknown' as const };
const refusal = { ...failure, outcome: 'refused' as const };
const pay = { type: 'payment.pay' } as const;

/** A payment that has been sent. */
async function sent() {
  const running = await openPayment();
  await review(running, ['invoice-1']);
  const { context } = running.actor.getSnapshot();
  await running.send(pay);
  const outgoing = () => running.pending('pay').input as OutgoingPayment; // as the chart's actor declares
  return { ...running, outgoing, reviewed: context };
}

const pendingPayment = (key: string, isSettled = true) => ({
  key,
  externalId: key,
  kind: 'electronic' as const,
  payments: 1,
  amount: '120.50 GBP',
  sentAt: '2026-11-20T09:00:00.000Z',
  lost: 'The connection closed',
  isRepeatable: true,
  interactionId: '',
  ...(isSettled && {
    settled: { batchId: 'batch-1', status: 'Received', at: '2026-11-20T09:00:01.000Z', by: 'webhook' as const, interactionId: '' }, // prettier-ignore
  }),
});
const knownAs = (key: string, isSettled = true) =>
  withFacts(everything, { pendingPayments: [pendingPayment('key-0'), pendingPayment(key, isSettled)] });

describe('A payment that was sent', () => {
  it('repeats an earlier attempt as soon as one response was lost, and not after a refusal', async () => {
    const { send, refuse, outgoing } = await sent();
    expect(outgoing().repeats).toBe(false);
    await refuse('pay', refusal);
    await send(pay);
    expect(outgoing().repeats).toBe(false);
    await refuse('pay', lost);
    await send({ type: 'retry' });
    expect(outgoing().repeats).toBe(true);
    await refuse('pay', refusal);
    await send(pay);
    expect(outgoing()).toMatchObject({ key: 'key-1', repeats: true });
  });

  it.each([
    ['unknown', 'payment.pay'],
    ['unknown', 'retry'],
    ['done', 'payment.pay'],
    ['done', 'retry'],
  ] as const)('repeats an attempt whose outcome is %s by %s', async (outcome, type) => {
    const { send, refuse, outgoing } = await sent();
    await refuse('pay', { ...failure, outcome });
    await send({ type });
    expect(outgoing()).toMatchObject({ key: 'key-1', repeats: true });
  });

  it('is settled by facts that name its batch, and by no others', async () => {
    const { refuse, send, now } = await sent();
    await refuse('pay', lost);
    for (const facts of [knownAs('key-2'), knownAs('key-1', false)]) await send({ type: 'facts.arrived', facts });
    expect(now().value).toEqual({ review: 'refused' });
    await send({ type: 'facts.arrived', facts: knownAs('key-1') });
    expect(now().value).toEqual({ review: 'settled' });
    expect(now().hasTag('done')).toBe(true);
    expect(settledIn(now().context.facts, now().context)?.key).toBe('key-1');
    const later = knownAs('key-1');
    await send({ type: 'facts.arrived', facts: later });
    expect(now().context.facts).toBe(later);
    await send({ type: 'form.cancel' });
    expect(now().value).toBe('cancelled');
  });

  it('keeps the errors of a refusal at the choices until the next review opens', async () => {
    const { refuse, send, answer, now } = await sent();
    const errors = [{ path: 'payments.0.additionalData.purpose', message: 'Unknown' }];
    await refuse('pay', { ...refusal, errors });
    await send({ type: 'review.back' });
    expect(now().context.errors).toHaveLength(2);
    expect(now().context.marks).toEqual(now().context.errors);
    await send({ type: 'form.submit' });
    expect([now().context.errors, now().context.sought]).toEqual([[], '']);
    await answer('prepare', { key: 'key-1', covered: [], shown: '' });
    await send({ type: 'review.back' });
    expect(now().context.errors).toEqual([]);
  });
});

describe('The review of a payment', () => {
  const covering = (...states: ('paid' | 'unknown')[]) =>
    states.map((state, index) => ({ index, state, at: '2026-11-20T09:00:00.000Z' }));

  it.each([
    [['unknown'], '1 invoice may be paid already: tick “Pay it again anyway” first'],
    [['paid'], '1 invoice is paid already: tick “Pay it again anyway” first'],
    [['paid', 'paid'], '2 invoices are paid already: tick “Pay them again anyway” first'],
    [['paid', 'unknown'], '2 invoices may be paid already: tick “Pay them again anyway” first'],
    [[], ''],
  ] as const)('blocks Pay with a reason for invoices that are %j', async (states, reason) => {
    const { reviewed } = await sent();
    const prepared = { key: 'key-1', covered: covering(...states), shown: '' };
    expect(payBlocked({ ...reviewed, prepared })).toBe(reason);
    expect(payBlocked({ ...reviewed, prepared, again: true })).toBe('');
  });

  it('blocks Pay in the live environment until the total is typed', async () => {
    const { reviewed } = await sent();
    const live = { ...reviewed, facts: withFacts(everything, { environment: 'live' }) };
    expect(payBlocked(live)).toBe('Real money moves: type the total first');
    expect(payBlocked({ ...live, confirmation: '120.50 GBP' })).toBe('');
    expect(payBlocked({ ...live, prepared: null, confirmation: '120.50 GBP' })).toBe('');
  });

  it('labels Pay with the total, or with the resending of a payment whose outcome is unknown', async () => {
    const { reviewed, outgoing } = await sent();
    expect(payLabel(reviewed)).toBe('Pay 120.50 GBP');
    const prepared = { key: 'key-1', covered: [], shown: '', first: outgoing().batch };
    expect(payLabel({ ...reviewed, prepared })).toBe('Resend with the same key');
  });
});

describe('The result of a payment', () => {
  const posted = (kind?: 'file' | 'electronic') =>
    withFacts(everything, {
      settings: { ...everything.settings, postedBatches: JSON.stringify(kind ? [{ kind }] : []) },
    });

  it.each([
    ['electronicPayment', 'electronic', 'file'],
    ['filePayment', 'file', 'electronic'],
  ] as const)('of %s is a batch of this kind only', (id, own, other) => {
    expect([wasDone(id, posted(own)), wasDone(id, posted(other)), wasDone(id, posted())]).toEqual([true, false, false]);
  });
});
