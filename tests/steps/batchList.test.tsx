// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { batchListMachine } from '#machines/batch/batchList.machine.ts';
import { BatchListStep } from '#steps/batch/BatchListStep.tsx';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { batchRecord, failure } from '#tests/support/fixtures.ts';
import { drawn } from './drawn.tsx';

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
    const lookedAt = () => row('batch-1').querySelector('td:nth-of-type(6) time')?.getAttribute('dateTime');
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
    const lookedAt = () => row('batch-1').querySelector('td:nth-of-type(6) time')?.getAttribute('dateTime');
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
