// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { FailureCode } from '#contract/problem.ts';
import { barName } from '#ui/Bar.tsx';
import { adviceOf, failures } from '#ui/failures.ts';
import { withFacts } from '#tests/support/facts.ts';
import { enter, pick } from '#tests/support/gestures.ts';
import { failure, invoiceOf, paid } from '#tests/support/fixtures.ts';
import { openReview } from '#tests/support/openReview.ts';
import { choice, electronic, review, reviewed } from './electronic.ts';
import { facts } from './paymentMaterial.ts';

it('the review of a payment whose outcome is unknown is headed so when it is opened again (behaviour 4.36)', async () => {
  const step = await electronic({ rules: [] });
  await pick(step.user, screen.getByLabelText('Bank account'), 'debtor-1');
  await step.user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
  await step.user.click(review());
  const first = { externalId: 'key-1', ...paid };
  await step.answer('prepare', { key: 'key-1', covered: [], sentAt: '2026-11-20T09:00:00.000Z', first });
  expect(screen.getAllByRole('heading', { name: 'Outcome unknown' })).toHaveLength(1);
  expect(screen.queryByRole('heading', { name: 'Review before paying' })).toBeNull();
});

describe('paying', () => {
  it('shows account, payees, number, totals and date before anything is sent (behaviour 10.9.1)', async () => {
    const { calls } = await reviewed();
    const heading = screen.getByRole('heading', { name: 'Review before paying' });
    expect(document.activeElement).toBe(heading);
    const definitions = screen.getAllByRole('definition').map(({ textContent }) => textContent);
    expect(definitions).toEqual([
      'Example Trading Ltd · 200000 · 12345678 · GBP',
      '2 to 1 creditor',
      '120.50 GBP, 8.00 USD',
      '2026-11-20 (00:00 UTC of that day)',
      'goods',
    ]);
    expect(within(screen.getByRole('table', { name: '2 payments' })).getAllByText('Paper & Sons')).toHaveLength(2);
    expect(screen.getAllByText('300000 87654321')).toHaveLength(2);
    expect(calls.map(({ port }) => port)).toEqual(['loadMaterial', 'prepare']);
  });

  it('names payee, account, purpose and amount of each payment', async () => {
    const step = await electronic({
      invoices: [invoiceOf('i1', '1200.50'), invoiceOf('i2', '1000000', { currency: 'JPY' })],
    });
    await pick(step.user, screen.getByLabelText('Bank account'), 'debtor-1');
    await enter(step.user, screen.getByLabelText('Purpose'), 'goods');
    await step.user.click(screen.getByRole('checkbox', { name: 'Select all invoices' }));
    await step.user.click(review());
    await openReview(step);
    const table = within(screen.getByRole('table', { name: '2 payments' }));
    const headers = table
      .getAllByRole('columnheader')
      .map((header) => header.querySelector('button')?.firstChild?.textContent);
    expect(headers).toEqual(['Creditor', 'For', 'Amount']);
    const [, ...rows] = table.getAllByRole('row').map((row) => within(row).queryAllByRole('cell').map(({ textContent }) => textContent)); // prettier-ignore
    expect(rows).toEqual([
      ['Paper & Sons300000 87654321', 'Invoice i1', '1,200.50 GBP'],
      ['Paper & Sons300000 87654321', 'Invoice i2', '1,000,000 JPY'],
    ]);
  });

  it('says why nothing can be paid while the second press of a double click on Review may follow', async () => {
    const step = await electronic({ rules: [] });
    await pick(step.user, screen.getByLabelText('Bank account'), 'debtor-1');
    await step.user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
    await step.user.click(review());
    await step.answer('prepare', { key: 'key-1', covered: [] });
    const pay = screen.getByRole('button', { name: /^Pay [\d,.]/ });
    await step.user.click(pay);
    expect(screen.getByText('Check the payment: Pay is enabled in a moment').id).toBe(
      pay.getAttribute('aria-describedby'),
    );
    await step.pass(500);
    expect(pay.getAttribute('aria-disabled')).toBe('false');
    expect(step.isAsked('pay')).toBe(false);
  });
});

describe('invoices that are paid, or may be', () => {
  const at = '2026-11-20T09:00:00.000Z';
  const invoices = [
    invoiceOf('i1', '1.00'),
    invoiceOf('i2', '2.00', { payment: { state: 'unknown', at } }),
    invoiceOf('i3', '4.00', { payment: { state: 'paid', at, batchId: 'batch-9' } }),
    invoiceOf('i4', '8.00', { payment: { state: 'failed', at, batchId: 'batch-8' } }),
  ];

  it('are marked in the list, and paid ones are not ticked by Select all', async () => {
    const { user } = await electronic({ invoices });
    const statuses = ['i1', 'i2', 'i3', 'i4'].map(
      (id) => screen.getByRole('row', { name: new RegExp(id) }).querySelector('td:last-child')?.textContent,
    );
    expect(statuses).toEqual([
      '',
      expect.stringContaining('Outcome unknown'),
      expect.stringContaining('Paid in batch-9'),
      expect.stringContaining('Failed in batch-8'),
    ]);
    const chips = within(screen.getByRole('group', { name: 'Filter by status' })).getAllByRole('button');
    expect(chips.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Open 1'),
      expect.stringContaining('Unknown 1'),
      expect.stringContaining('Paid 1'),
      expect.stringContaining('Failed 1'),
    ]);
    await user.click(screen.getByRole('checkbox', { name: 'Select all invoices' }));
    expect(choice()).toBe('3 invoices · 11.00 GBP');
  });

  it('by another user are marked without batch and time in the list, and in the review', async () => {
    const others = [
      invoiceOf('i1', '1.00', { payment: { state: 'paid' } }),
      invoiceOf('i2', '2.00', { payment: { state: 'unknown' } }),
    ];
    const { user, ...ports } = await electronic({ invoices: others, rules: [] });
    for (const [id, standing] of [
      ['i1', 'Paid by another user'],
      ['i2', 'Outcome unknown: sent by another user'],
    ] as const) {
      const cell = screen.getByRole('row', { name: new RegExp(id) }).querySelector('td:last-child');
      expect(cell?.textContent).toContain('by another user');
      expect(within(cell as HTMLElement).getByTitle(standing)).toBeDefined();
    }
    await pick(user, screen.getByLabelText('Bank account'), 'debtor-1');
    await user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
    await user.click(screen.getByRole('checkbox', { name: 'Pay invoice i2' }));
    await user.click(review());
    await openReview(ports, {
      covered: [
        { index: 0, state: 'paid' },
        { index: 1, state: 'unknown' },
      ],
    });
    const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent?.trim());
    expect(items).toContain('i1: Paid by another user');
    expect(items).toContain('i2: Outcome unknown: sent by another user');
  });

  it('show the words of the service as its own, and why an outcome is unknown as they are (behaviour 4.46, 4.64)', async () => {
    const { user, ...ports } = await electronic({ invoices, rules: [] });
    await pick(user, screen.getByLabelText('Bank account'), 'debtor-1');
    for (const name of ['i1', 'i2']) await user.click(screen.getByRole('checkbox', { name: `Pay invoice ${name}` }));
    await user.click(review());
    await openReview(ports, {
      covered: [
        { index: 0, state: 'paid', says: 'Failed: account closed' },
        { index: 1, state: 'unknown', says: 'The payments service answered with status 403.' },
      ],
    });
    const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent?.trim());
    expect(items.filter((each) => each?.startsWith('i'))).toEqual([
      expect.stringMatching(/The payments service says: Failed: account closed$/),
      expect.stringMatching(/[^:] ?The payments service answered with status 403\.$/),
    ]);
    expect(items.join(' ')).not.toContain('says: The payments service answered');
  });

  it('are marked in the review, which requires a tick to pay them again', async () => {
    const { user, calls, ...ports } = await electronic({ invoices, rules: [] });
    await pick(user, screen.getByLabelText('Bank account'), 'debtor-1');
    await user.click(screen.getByRole('checkbox', { name: 'Pay invoice i3' }));
    await user.click(review());
    await openReview(ports, { covered: [{ index: 0, state: 'paid', at, batchId: 'batch-9' }] });
    const pay = screen.getByRole('button', { name: /^Pay [\d,.]/ });
    const bar = () => screen.getByRole('region', { name: barName }).textContent;
    expect(pay.getAttribute('aria-disabled')).toBe('true');
    const label = 'Pay it again anyway';
    // Nobody reads the total before the warning.
    const warning = screen.getByRole('checkbox', { name: label });
    const total = screen.getByText('Total');
    expect(warning.compareDocumentPosition(total) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(bar()).toContain(`1 invoice is paid already: tick “${label}” first`);
    expect(document.getElementById(pay.getAttribute('aria-describedby')!)?.textContent).toContain(label);
    await user.click(screen.getByRole('checkbox', { name: label }));
    expect(bar()).not.toContain(label);
    await user.click(pay);
    expect(calls.findLast(({ port }) => port === 'pay')?.input).toMatchObject({ again: true });
  });
});

describe('the advice of a refused payment', () => {
  const advised = (Object.keys(failures) as FailureCode[]).map(
    (code) => [code, adviceOf({ ...failure, code })] as const,
  ); // its keys
  it.each(advised.filter(([, advice]) => advice.includes('“')))(
    '%s names controls that are on the screens that it leads over (behaviour 10.4.3)',
    async (code, advice) => {
      const { user, refuse } = await reviewed();
      await user.click(screen.getByRole('button', { name: /^Pay [\d,.]/ }));
      await refuse('pay', { ...failure, code });
      for (const [, name = ''] of advice.matchAll(/“([^”]+)”/g)) await user.click(screen.getByRole('button', { name }));
      expect(code).toBe('paid-already');
    },
  );
});

describe('where real money moves', () => {
  const pay = () => screen.getByRole('button', { name: 'Pay 120.50 GBP, 8.00 USD' });
  const total = () => screen.getByLabelText('Type the total to pay real money');

  it('nothing is paid before the total is typed, however it is grouped and spaced (behaviour 10.9.3; threat 6.3)', async () => {
    const { user, calls } = await reviewed(withFacts(facts, { environment: 'live' }));
    const sent = () => calls.filter(({ port }) => port === 'pay').length;
    for (const wrong of ['', '120.50 GBP', '12050 GBP, 8.00 USD', 'pay']) {
      await user.clear(total());
      if (wrong) await enter(user, total(), wrong);
      await user.click(pay());
      expect(pay().getAttribute('aria-disabled')).toBe('true');
      expect(sent()).toBe(0);
    }
    expect(screen.getByText('Real money moves: type the total first').id).toBe(pay().getAttribute('aria-describedby'));
    await user.clear(total());
    await enter(user, total(), '120.50gbp 8.00 usd');
    await user.click(pay());
    expect(sent()).toBe(1);
  });

  it('another review requires it again (threat 6.3)', async () => {
    const { user, ...ports } = await reviewed(withFacts(facts, { environment: 'live' }));
    await enter(user, total(), '120.50 GBP, 8.00 USD');
    expect(pay().getAttribute('aria-disabled')).toBe('false');
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await user.click(review());
    await openReview(ports);
    expect(pay().getAttribute('aria-disabled')).toBe('true');
  });

  it('the sandbox does not require it', async () => {
    await reviewed();
    expect(screen.queryByLabelText('Type the total to pay real money')).toBeNull();
    expect(pay().getAttribute('aria-disabled')).toBe('false');
  });
});

it('the form of a payment speaks of a day on which its scheme does not process, and offers the next one (behaviour 9.16)', async () => {
  const { user } = await electronic({ instrument: 'Bacs Direct Credit', today: '2026-12-27' });
  await pick(user, screen.getByLabelText('Bank account'), 'debtor-1');
  await screen.findByText(/Bacs does not process on Sunday 27 December\. Its next day is Tuesday 29 December\./);
  expect(screen.getByLabelText<HTMLInputElement>('Execution date').value).toBe('2026-12-27');
  await user.click(screen.getByRole('button', { name: 'Use Tuesday 29 December' }));
  expect(screen.getByLabelText<HTMLInputElement>('Execution date').value).toBe('2026-12-29');
  expect(screen.queryByText(/does not process/)).toBeNull();
});
