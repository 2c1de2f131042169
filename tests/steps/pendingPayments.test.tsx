// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { PendingPayment } from '#contract/payment.ts';
import { PaymentTrail } from '#steps/payment/PaymentTrail.tsx';
import { withFacts } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { renderPage } from '#tests/support/page.tsx';
import { reviewed } from './electronic.ts';
import { facts } from './paymentMaterial.ts';

const lost: PendingPayment = {
  key: 'key-1',
  externalId: 'key-1',
  kind: 'electronic',
  payments: 2,
  amount: '1128.50 GBP',
  isRepeatable: true,
  sentAt: '2026-11-20T09:00:00.000Z',
  lost: 'The connection closed before a response from http://service.test.',
  interactionId: '11111111-1111-4111-8111-111111111111',
};
const settled: PendingPayment = {
  ...lost,
  isRepeatable: false,
  settled: {
    batchId: 'batch-1',
    status: 'Completed',
    by: 'webhook',
    at: '2026-11-20T09:00:02.000Z',
    interactionId: '22222222-2222-4222-8222-222222222222',
  },
};
const steps = () =>
  within(screen.getByRole('list'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

describe('A payment with an unknown outcome', () => {
  it('says what is known and offers one button, which resends it with the same key (behaviour 4.36)', async () => {
    const onResend = vi.fn();
    renderPage(<PaymentTrail payment={lost} onResend={onResend} />);
    expect(screen.getByRole('heading', { name: 'Outcome unknown' })).toBeDefined();
    expect(screen.getByText('1,128.50 GBP · 2 payments')).toBeDefined();
    expect(steps()).toEqual([
      expect.stringContaining('Request sent'),
      expect.stringContaining('The connection closed before a response'),
      expect.stringContaining('Waiting for a webhook that names this payment'),
    ]);
    const [button, ...others] = screen.getAllByRole('button');
    expect([button?.textContent, others]).toEqual(['Resend with the same key', []]);
    await userEvent.click(button!);
    expect(onResend).toHaveBeenCalledOnce();
  });

  it('shows step by step how a webhook settled it, with links to both entries of the timeline (behaviour 4.37)', () => {
    renderPage(<PaymentTrail payment={settled} />);
    expect(steps()).toEqual([
      expect.stringContaining('Request sent'),
      expect.stringContaining('The connection closed'),
      expect.stringContaining('Webhook names batch batch-1'),
      expect.stringContaining('Reference matches: key-1'),
      expect.stringContaining('Paid once'),
    ]);
    expect(screen.getByRole('heading', { name: 'Paid once' })).toBeDefined();
    const target = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(target('Request')).toBe(`/timeline?show=all&interaction=${lost.interactionId}`);
    expect(target('Webhook')).toBe(`/timeline?show=all&interaction=${settled.settled?.interactionId}`);
    expect(target('View batch')).toBe('/getbatch?batchId=batch-1');
  });

  it.each(['Processing', 'Failed', 'PartiallyCompleted'])('is not called paid while its batch is %s', (status) => {
    renderPage(<PaymentTrail payment={{ ...settled, settled: { ...settled.settled!, status } }} />);
    expect(screen.getByRole('heading', { name: `Sent once, the batch is ${status}` })).toBeDefined();
    expect(screen.queryByText('Paid once')).toBeNull();
  });
});

describe('A review whose payment lost its response', () => {
  async function unanswered() {
    const step = await reviewed();
    await step.user.click(screen.getByRole('button', { name: /^Pay [\d,.]/ }));
    await step.refuse('pay', { ...failure, outcome: 'unknown' });
    return step;
  }

  it('is no longer a review, and its bar offers no second way to pay', async () => {
    await unanswered();
    expect(screen.getByRole('heading', { name: 'What was sent' })).toBeDefined();
    expect(screen.queryByRole('button', { name: /^Pay [\d,.]/ })).toBeNull();
  });

  it('shows how it was settled once the facts name its batch, and leads there', async () => {
    const { send } = await unanswered();
    await send({ type: 'facts.arrived', facts: withFacts(facts, { pendingPayments: [settled] }) });
    expect(screen.getByRole('heading', { name: 'Paid once' })).toBeDefined();
    expect(screen.queryByRole('heading', { name: 'What was sent' })).toBeNull();
    expect(screen.getAllByRole('link', { name: 'View batch' })[0]?.getAttribute('href')).toBe(
      '/getbatch?batchId=batch-1',
    );
  });
});
