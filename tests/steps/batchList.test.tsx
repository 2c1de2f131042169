// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { userEvent } from '@testing-library/user-event';
import { batchListMachine } from '#machines/batch/batchList.machine.ts';
import { BatchListStep } from '#steps/batch/BatchListStep.tsx';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { batchRecord, failure } from '#tests/support/fixtures.ts';
import type { PendingPayment } from '#contract/payment.ts';
import { PaymentTrail } from '#steps/payment/PaymentTrail.tsx';
import { renderPage } from '#tests/support/page.tsx';
import { drawn } from './drawn.tsx';
import { reviewed } from './electronic.ts';
import { facts } from './paymentMaterial.ts';

const batches = [batchRecord, { ...batchRecord, batchId: 'batch 2', status: 'Completed' }];
const poll = (batchId: string) => screen.getByRole('button', { name: `Poll For Update of batch ${batchId}` });
const polled = (status: string) => ({ status, readAt: new Date().toISOString() });
const row = (batchId: string) => screen.getByRole('row', { name: new RegExp(batchId) });

async function listed() {
  const step = drawn(batchListMachine, BatchListStep);
  await step.answer('loadBatches', { batches });
  return step;
}

describe('the list of batches', () => {
  it('has the columns of the specification and links each batch to its page', async () => {
    await listed();
    const table = screen.getByRole('table', { name: '2 batches' });
    for (const name of [/^BatchId/, /^Status/, 'Amount'])
      expect(within(table).getByRole('columnheader', { name })).toBeTruthy();
    const link = within(row('batch 2')).getByRole('link', { name: 'batch 2' });
    expect(link.getAttribute('href')).toBe('/getbatch?batchId=batch+2');
    expect(row('batch-1').textContent).toContain('120.50 GBP');
  });

  it('follows the facts: shows new batches and new statuses without a press', async () => {
    const { send } = await listed();
    const records = [
      { ...batchRecord, status: 'Completed' },
      { ...batchRecord, batchId: 'batch-3' },
    ];
    await send({
      type: 'facts.arrived',
      facts: withFacts(everything, { settings: { postedBatches: JSON.stringify(records) } }),
    });
    expect(row('batch-1').textContent).toContain('Completed');
    expect(row('batch-3').textContent).toContain(batchRecord.status);
    expect(screen.getByRole('table', { name: '3 batches' })).toBeDefined();
  });

  it('shows the end of a batch beside a status in progress, as long as the service says that one (behaviour 4.47)', async () => {
    const { send, user, answer } = await listed();
    const says = (more: object) =>
      send({
        type: 'facts.arrived',
        facts: withFacts(everything, {
          settings: { postedBatches: JSON.stringify([{ ...batchRecord, status: 'Processing', ...more }]) },
        }),
      });
    await says({ ended: 'Failed' });
    expect(row('batch-1').textContent).toContain('ProcessingHad ended as Failed before');
    await says({});
    expect(row('batch-1').textContent).not.toContain('Had ended');
    await user.click(poll('batch-1'));
    await answer('pollBatch', { ...polled('Pending'), ended: 'Failed' });
    expect(row('batch-1').textContent).toContain('Had ended as Failed before');
    await user.click(poll('batch-1'));
    await answer('pollBatch', polled('Completed'));
    expect(row('batch-1').textContent).not.toContain('Had ended');
  });

  it('opens with a payment whose outcome is unknown, before any batch, and follows it (behaviour 4.43)', async () => {
    const pending = { key: 'key-1', externalId: 'key-1', kind: 'electronic', payments: 1, amount: '1.00 GBP', isRepeatable: true, sentAt: batchRecord.postedAt, lost: '', interactionId: '' } as const; // prettier-ignore
    const facts = withFacts(factsAfter('creditor'), { pendingPayments: [pending] });
    const { answer, send } = drawn(batchListMachine, BatchListStep, { input: { facts } });
    await answer('loadBatches', { batches: [] });
    expect(screen.getByText(/None was paid yet/)).toBeDefined();
    await send({
      type: 'facts.arrived',
      facts: withFacts(everything, { settings: { postedBatches: JSON.stringify([batchRecord]) } }),
    });
    expect(row('batch-1')).toBeDefined();
  });

  it('says what each poll has changed, and the time of the last poll', async () => {
    const { user, answer } = await listed();
    const lookedAt = () => row('batch-1').querySelector('td:nth-of-type(2) time')?.getAttribute('dateTime');
    const news = screen.getByRole('status');
    expect([news.textContent, lookedAt()]).toEqual(['', batchRecord.postedAt]);
    const first = polled('Rejected');
    await user.click(poll('batch-1'));
    await answer('pollBatch', first);
    expect(news.textContent).toBe('Batch batch-1 was Received, and is Rejected now');
    expect(lookedAt()).toBe(first.readAt);
    await user.click(poll('batch-1'));
    expect(news.textContent).toBe('');
    await answer('pollBatch', polled('Rejected'));
    expect(news.textContent).toBe('Batch batch-1 is still Rejected');
  });

  it('keeps the list when a poll fails, each status with the time of its last check', async () => {
    const { user, answer, refuse } = await listed();
    const lookedAt = () => row('batch-1').querySelector('td:nth-of-type(2) time')?.getAttribute('dateTime');
    await user.click(poll('batch-1'));
    const { readAt } = polled('Processing');
    await answer('pollBatch', { status: 'Processing', readAt });
    await user.click(poll('batch-1'));
    await refuse('pollBatch', failure);
    expect(row('batch-1').textContent).toContain('Processing');
    expect(lookedAt()).toBe(readAt);
    expect(poll('batch-1').getAttribute('aria-disabled')).toBe('false');
  });
});

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
