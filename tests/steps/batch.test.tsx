// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parse } from '#contract/json.ts';
import { batchMachine } from '#machines/batch/batch.machine.ts';
import type { BatchView } from '#machines/batch/batch.ts';
import { BatchStep } from '#steps/batch/BatchStep.tsx';
import { everything } from '#tests/support/facts.ts';
import { batchRecord, failure } from '#tests/support/fixtures.ts';
import { drawn } from './drawn.tsx';

const payment = (name: string, status: string) => ({
  creditor: { name },
  instructedAmount: { amount: '120.50', currency: 'GBP' },
  remittanceInformation: { reference: 'i1' },
  status,
});

const viewOf = (status: string, more: Partial<BatchView> = {}): BatchView => ({
  batch: { batchId: 'batch-1', status, payments: [payment('Paper & Sons', status)] },
  paymentFile: '',
  errors: [],
  references: [],
  ended: '',
  staysPaid: [],
  waits: [],
  authorise: { link: '', elsewhere: '', expiresAt: '' },
  raw: { data: { batchId: 'batch-1' } },
  readAt: new Date().toISOString(),
  ...more,
});

const byFile = (status: string, more: Partial<BatchView> = {}) =>
  viewOf(status, { batch: { ...viewOf(status).batch, fileFormatId: 'format-1' }, ...more });
const withFile = byFile('PaymentFileAvailable', { paymentFile: 'http://bank.test/file' });
const status = () => screen.getByRole('status', { name: 'Status' }).textContent;
const download = () => screen.getByRole('button', { name: 'Download bank file' });

async function shown(view: BatchView) {
  const step = drawn(batchMachine, BatchStep, { input: { facts: everything, batchId: 'batch-1' } });
  await step.answer('findBatch', { record: null });
  await step.answer('readBatch', view);
  return step;
}

const members = ['target', 'message', 'code', 'index', 'resourceId', 'sourceId'];

describe('invoices of a failed batch that count as paid', () => {
  it('are named with the reason, and counted beyond the first ones (behaviour 4.46)', async () => {
    const reason = 'The service says Failed of these payments; paying one again asks for your confirmation.';
    await shown(viewOf('Failed', { staysPaid: [{ reason, count: 23, invoices: ['INV-1', 'INV-2'] }] }));
    const section = screen.getByRole('region', { name: 'Invoices that count as paid' });
    expect(section.textContent).toContain(`INV-1, INV-2 and 21 more: ${reason}`);
  });
});

describe('a batch that the service says is in progress after it had ended', () => {
  it('shows what the service says, and the end beside it (behaviour 4.47)', async () => {
    await shown(viewOf('Processing', { ended: 'Completed' }));
    expect(status()).toContain('Processing');
    expect(screen.getByText('Had ended as Completed before')).toBeDefined();
  });

  it('is the only one that shows an end beside its status', async () => {
    await shown(viewOf('Processing'));
    expect(screen.queryByText(/Had ended/)).toBeNull();
  });
});

describe('a batch that waits for the next banking day of its scheme', () => {
  it('says why it waits as long as the server says so (behaviour 9.16)', async () => {
    const note = 'Bacs does not process on Sunday 29 November. Its next day is Monday 30 November.';
    const { pass, answer } = await shown(viewOf('Processing', { waits: [note] }));
    expect(screen.getByText(note)).toBeDefined();
    await pass(1000);
    await answer('followBatch', viewOf('Completed'));
    expect(screen.queryByText(note)).toBeNull();
  });
});

describe('following a batch', () => {
  it('says the status in words, the time of the last check, and that checking continues', async () => {
    // Otherwise a busy machine shows "1 second ago".
    vi.setSystemTime(Date.now());
    onTestFinished(() => void vi.useRealTimers());
    const { pass, answer } = await shown(viewOf('Processing'));
    expect(status()).toContain('Processing');
    expect(screen.getByText(/Checks every second/).textContent).toMatch(/^just now/);
    await pass(1000);
    await answer('followBatch', viewOf('Completed'));
    expect(status()).toContain('Completed');
    expect(screen.queryByText(/Checks every second/)).toBeNull();
  });

  it.each(['Rejected', 'Processing', 'PartiallyCompleted', 'Completed', 'Something new'])(
    'shows the errors with all their members and the service’s JSON for a batch that is %s, without a press (behaviour 8.3)',
    async (status) => {
      const error = { target: 'payments.creditor.name', message: 'too long', code: 'RegexFailure', index: 0 };
      await shown(viewOf(status, { errors: [{ ...error, resourceId: 'payment-1', sourceId: 'rule-1' }] }));
      expect(screen.getByRole('tree', { name: 'batch' })).toBeDefined();
      const table = screen.getByRole('table', { name: '1 error' });
      const headers = within(table).getAllByRole('columnheader');
      expect(headers.map(({ textContent }) => textContent)).toEqual(members);
      const cells = within(table).getAllByRole('cell');
      expect(cells.map(({ textContent }) => textContent)).toEqual([
        'payments.creditor.name',
        'too long',
        'RegexFailure',
        '0',
        'payment-1',
        'rule-1',
      ]);
    },
  );

  it('shows no table of errors where there are none, and the JSON folded until all of it is asked for', async () => {
    const deep = {
      data: {
        batchId: 'batch-1',
        list: Array.from({ length: 40 }, (_, at) => ({ at, inner: { leaf: `leaf ${at}` } })),
      },
    };
    const { user } = await shown(viewOf('Completed', { raw: deep }));
    expect(screen.queryByRole('heading', { name: 'Errors' })).toBeNull();
    expect(screen.queryByText('"leaf 39"')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Unfold batch' }));
    expect(screen.getByText('"leaf 39"')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Fold batch' }));
    expect(screen.queryByText('"leaf 39"')).toBeNull();
  });

  it('leads from each error to the row of its invoice and to the field that caused it, and says where there is none (behaviour 4.30)', async () => {
    const errors = [
      { target: 'creditorAccount', message: 'Account closed', code: 'AccountClosed', index: 0 },
      { target: 'payments.additionalData.purpose', message: 'Unknown', code: 'RegexFailure', index: 0 },
      { target: 'debtor.debtorId', message: 'Not known', code: 'NotFound' },
      { target: '', message: 'Closed today', code: '' },
      { target: 'creditorAccount', message: 'No such payment', code: '', index: 8 },
    ];
    await shown(viewOf('Rejected', { errors }));
    const leadsIn = (part: HTMLElement) =>
      within(part)
        .queryAllByRole('link')
        .map(
          (link) => `${link.textContent} ${new URLSearchParams(link.getAttribute('href')?.split('?')[1]).get('at')}`,
        );
    const [, , second] = within(screen.getByRole('table', { name: '1 payment' })).getAllByRole('row');
    expect(leadsIn(second!)).toEqual([
      'Invoice i1 invoices/i1',
      'Invoice i1 invoices/i1',
      'purpose payments.additionalData.purpose',
    ]);
    const others = screen.getByRole('table', { name: '5 errors' });
    expect(leadsIn(others)).toEqual(['Bank account bankAccount']);
    for (const text of ['Not known', 'Closed today', 'No such payment'])
      expect(within(others).getByText(text)).toBeDefined();
    expect(screen.getAllByText('Names no payment or field')).toHaveLength(2);
    const [link] = screen.getAllByRole('link', { name: 'Invoice i1' });
    expect(link?.getAttribute('href')).toMatch(/^\/electronicpayments\?corrects=batch-1&.*&invoices=8$/);
  });

  it('leads to the invoice of a payment that the service names but does not return', async () => {
    const batch = { batchId: 'batch-1', status: 'Rejected', fileFormatId: 'format-1' };
    const errors = [{ target: '', message: 'Too long', code: '', index: 150 }];
    const references = Array.from({ length: 151 }, (_, index) => `i${index}`);
    await shown(viewOf('Rejected', { batch, errors, references }));
    const link = screen.getByRole('link', { name: 'Invoice i150' });
    expect(link.getAttribute('href')).toBe('/filepayments?corrects=batch-1&at=invoices%2Fi150&invoices=1000');
  });

  it('shows amounts, accounts and totals that the service writes as JSON numbers, with all digits', async () => {
    const batch = parse(
      '{"batchId":"batch-1","status":"Completed","debtorAccount":{"name":"Payer","identification":12345678},"payments":[' +
        '{"creditor":{"name":"Ink"},"instructedAmount":{"amount":10.00,"currency":"GBP"}},' +
        '{"creditor":{"name":"Paper"},"instructedAmount":{"amount":9007199254740993.10,"currency":"GBP"}},' +
        '{"creditor":{"name":"Pens"},"instructedAmount":{"amount":7,"currency":"GBP"}}]}',
    ) as BatchView['batch'];
    await shown(viewOf('Completed', { batch }));
    const table = within(screen.getByRole('table', { name: '3 payments' }));
    for (const row of [/Ink.* 10.00 GBP/, /Paper.*9,?007,?199,?254,?740,?993.10 GBP/, /Pens.* 7 GBP/])
      table.getByRole('row', { name: row });
    screen.getByRole('heading', { name: '9,007,199,254,741,010.10 GBP' });
    screen.getByText('Payer ·· 5678');
  });

  it('shows the payments that failed first, each with its reason (behaviour 10.15.2)', async () => {
    const payments = [payment('Paper & Sons', 'Completed'), payment('Ink & Co', 'Failed')];
    const errors = [{ target: 'creditorAccount', message: 'Account closed', code: 'AccountClosed', index: 1 }];
    const batch = { batchId: 'batch-1', status: 'PartiallyCompleted', payments };
    await shown(viewOf('PartiallyCompleted', { batch, errors }));
    const [, first, second] = within(screen.getByRole('table', { name: '2 payments' })).getAllByRole('row');
    expect(first!.textContent).toContain('Ink & Co');
    const [reason, ...more] = within(second!).getAllByRole<HTMLTableCellElement>('cell');
    expect([reason?.textContent, reason?.colSpan, more]).toEqual([
      expect.stringContaining('Account closed'),
      within(first!).getAllByRole('cell').length,
      [],
    ]);
    expect(screen.getByRole('heading', { name: '241.00 GBP' })).toBeTruthy();
    expect(screen.getByRole('img', { name: '1 paid, 120.50 GBP; 1 failed, 120.50 GBP' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Export this run' }).getAttribute('href')).toBe('/api/timeline.zip');
  });

  it.each([
    ['Returned', { extendedStatus: 'AC04', additionalData: '{"returnReason":"Account closed","returnedAmount":{"amount":"118.00","currency":"GBP"},"charges":{"amount":"2.50","currency":"GBP"},"returnedAt":"2026-01-13T00:00:00Z"}' }, 'Came back on 2026-01-13: Account closed (AC04), 118.00 GBP of 120.50 GBP, charges 2.50 GBPCorrect the payee', 'came back'], // prettier-ignore
    ['RETURNED', { extendedStatus: 'AC04' }, 'Came back: Account closed (AC04)Correct the payee', 'came back'],
    ['Returned', { extendedStatus: 'XX', additionalData: 'not JSON' }, 'Came back: XXCorrect the payee', 'came back'],
    ['Returned', {}, 'Came backCorrect the payee', 'came back'],
    ['Held', { additionalData: '{"informationRequested":"An invoice","respondBy":"2026-01-12"}' }, 'The bank asks: An invoice, answer by 2026-01-12', 'in progress'], // prettier-ignore
  ])(
    'says of a payment that is %s with %j why, and offers no retry (behaviour 4.66, 4.67)',
    async (status, more, said, word) => {
      const payments = [payment('Paper & Sons', 'Completed'), { ...payment('Ink & Co', status), ...more }];
      const batch = { batchId: 'batch-1', status: 'PartiallyReturned', payments };
      await shown(viewOf('PartiallyReturned', { batch }));
      const [, first, second] = within(screen.getByRole('table', { name: '2 payments' })).getAllByRole('row');
      expect([first?.textContent, second?.textContent]).toEqual([expect.stringContaining('Ink & Co'), said]);
      screen.getByRole('img', { name: new RegExp(`^1 paid, 120.50 GBP; 1 ${word}, (118.00 GBP of )?120.50 GBP$`) });
      expect(screen.queryByRole('link', { name: /^Retry/ })).toBeNull();
      if (word === 'came back')
        expect(screen.getByRole('link', { name: 'Correct the payee' }).getAttribute('href')).toBe('/creditors');
    },
  );

  it('counts no payment as unpaid of which the service says no status (behaviour 10.15.2)', async () => {
    const { status: _, ...silent } = payment('Paper & Sons', '');
    const batch = { batchId: 'batch-1', status: 'Completed', payments: [silent, silent] };
    await shown(viewOf('Completed', { batch }));
    screen.getByRole('heading', { name: '2 payments' });
    screen.getByRole('img', { name: '2 unknown, 241.00 GBP' });
    expect(screen.queryByText(/of 2 paid/)).toBeNull();
    cleanup();
    const some = { ...batch, status: 'PartiallyCompleted', payments: [silent, payment('Ink & Co', 'Failed')] };
    await shown(viewOf('PartiallyCompleted', { batch: some }));
    screen.getByRole('heading', { name: '2 payments' });
    screen.getByRole('img', { name: '1 unknown, 120.50 GBP; 1 failed, 120.50 GBP' });
  });

  it('offers to pay the failed payments again, with their invoices chosen, once it has ended (behaviour 10.15.4)', async () => {
    const payments = [payment('Paper & Sons', 'Completed'), payment('Ink & Co', 'Failed')];
    const view = (status: string) => viewOf(status, { batch: { batchId: 'batch-1', status, payments } });
    const { pass, answer } = await shown(view('Processing'));
    const again = () => screen.queryByRole('link', { name: /^Retry \d+ failed payments?$/ });
    expect(again()).toBeNull();
    await pass(1000);
    await answer('followBatch', view('PartiallyCompleted'));
    expect(again()?.getAttribute('href')).toBe('/electronicpayments?corrects=batch-1&invoices=8');
  });

  it.each([
    ['the download', 'Download bank file', 'downloadFile'],
    ['a reading', 'Refresh', 'readBatch'],
  ])('still offers it, and Refresh, after %s has failed (behaviour 6.11)', async (_, name, port) => {
    const payments = [payment('Paper & Sons', 'Completed'), payment('Ink & Co', 'Failed')];
    const { user, refuse } = await shown(
      byFile('PartiallyCompleted', {
        batch: { batchId: 'batch-1', status: 'PartiallyCompleted', fileFormatId: 'format-1', payments },
        paymentFile: 'http://bank.test/file',
      }),
    );
    await user.click(screen.getByRole('button', { name }));
    await refuse(port, failure);
    expect(screen.getByRole('link', { name: /^Retry \d+ failed payments?$/ })).toBeTruthy();
    for (const each of ['Refresh', 'Download bank file'])
      expect(screen.getByRole('button', { name: each }).getAttribute('aria-disabled')).not.toBe('true');
  });

  it('offers its authorise page while it awaits authorisation (behaviour 4.29)', async () => {
    const authorise = { link: 'https://provider.test/authorise/1', elsewhere: '', expiresAt: '' };
    const { pass, answer } = await shown(viewOf('AwaitingAuthorisation', { authorise }));
    const link = screen.getByRole('link', { name: 'Authorise ↗' });
    expect(link.getAttribute('href')).toBe(authorise.link);
    expect(link.getAttribute('target')).toBe('_blank');
    await pass(1000);
    await answer('followBatch', viewOf('Completed', { authorise }));
    expect(screen.queryByRole('link', { name: 'Authorise ↗' })).toBeNull();
  });

  it('shows a link that does not lead to a provider’s pages, and does not follow it (threat 5.12)', async () => {
    const authorise = { link: '', elsewhere: 'javascript:alert(1)', expiresAt: '' };
    await shown(viewOf('AwaitingAuthorisation', { authorise }));
    expect(screen.getByText(/not opened.*javascript:alert\(1\)/)).toBeTruthy();
    expect(screen.queryByRole('link', { name: /Authorise/ })).toBeNull();
  });
});

describe('a batch that the service cannot be asked for', () => {
  it('is shown as the console last read it, until the service can be reached', async () => {
    const step = drawn(batchMachine, BatchStep, { input: { facts: everything, batchId: '' } });
    await step.answer('findBatch', { record: batchRecord });
    await step.refuse('readBatch', failure);
    expect(status()).toContain(batchRecord.status);
    expect(screen.getByText('Not since this page was opened')).toBeTruthy();
    expect(screen.getByText(batchRecord.amount)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Download bank file' })).toBeNull();
    await step.send({ type: 'retry' });
    await step.answer('readBatch', viewOf('Completed'));
    expect(status()).toContain('Completed');
    expect(screen.queryByText('Not since this page was opened')).toBeNull();
  });
});

describe('the bank file', () => {
  const saved = vi.fn<(name: string, blob: Blob) => void>();

  beforeEach(() => {
    // jsdom neither makes addresses of blobs nor downloads.
    let last: Blob | undefined;
    URL.createObjectURL = (blob) => ((last = blob as Blob), 'blob:test');
    URL.revokeObjectURL = () => undefined;
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      if (last) saved(this.download, last);
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    saved.mockReset();
  });

  it('is shown by its charset, which is named, and its bytes are saved once under its name (behaviour 5.12)', async () => {
    const { user, answer } = await shown(withFile);
    await user.click(download());
    const type = 'text/plain; charset=iso-8859-1';
    await answer('downloadFile', {
      file: { bytes: Uint8Array.of(0x3c, 0x62, 0x3e, 0x0a, 0xe9, 0), type, name: 'a.txt' },
    });
    expect(screen.getByRole('region', { name: 'Bank file' }).textContent).toBe('<b>\né\\u0000');
    expect(screen.getByText(/Saved as a.txt, 6 bytes. Shown as iso-8859-1/)).toBeTruthy();
    expect(saved).toHaveBeenCalledTimes(1);
    const [name, blob] = saved.mock.calls[0]!;
    expect([name, blob.size, blob.type]).toEqual(['a.txt', 6, type]);
  });
});
