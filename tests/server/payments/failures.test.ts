import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFailure } from '#contract/status.ts';
import { failuresIn, type Sent } from '#server/payments/failures.ts';
import { lenientParse } from '#server/upstream/lenientParse.ts';
import { answers } from '#server/upstream/answers.ts';
import { runsOf } from '#tests/support/runCounts.ts';

const batchId = 'b-1';
const data = { batchId, status: 'Failed' };
const payment = (reference: string, status = 'Failed') => ({
  paymentId: `p-${reference}`,
  status,
  instructedAmount: { amount: '1.00', currency: 'GBP' },
  creditor: { name: 'Paper', creditorId: 'c-1', postalAddress: { addressLine1: 'a', postalCode: 'b' } },
  creditorAgent: { identification: '200000' },
  creditorAccount: { identification: '1', secondaryIdentification: '2', name: 'Paper' },
  remittanceInformation: { reference, unstructured: 'as agreed' },
});
/** All that a batch which has failed as a whole may state. */
const whole = {
  data: {
    ...data,
    externalId: 'e',
    subscriptionId: 's',
    organisationId: 'o',
    companyId: 'c',
    fileFormatId: 'f',
    requestedExecutionDateTime: '2026-11-20T00:00:00Z',
    debtor: { debtorId: 'd' },
    additionalData: '{"a":1}',
    userIdentification: { name: 'n' },
    debtorAgent: { identification: '1' },
    debtorAccount: { name: 'n' },
    payments: [payment('INV-1'), payment('INV-2', 'REJECTED')],
  },
  links: { self: `https://service.example/v3/batchpayments/${batchId}` },
  error: {
    detail: [{ target: 'a', message: 'account closed', code: 'AC04', index: 0, resourceId: 'p', sourceId: 'r' }],
  },
};
const sent = (...references: string[]): Sent => ({
  batch: {
    externalId: 'e',
    subscriptionId: 's',
    requestedExecutionDateTime: '2026-11-20T00:00:00Z',
    payments: references.map((reference) => ({
      instructedAmount: { amount: '1.00', currency: 'GBP' },
      creditor: { name: 'Paper' },
      remittanceInformation: { reference },
    })),
  },
  isByExternalId: false,
});
const both = sent('INV-1', 'INV-2');

/** What is decided by an answer to reading the batch; `answer` is a body, or the text of one. */
function decided(
  answer: object | string,
  { status = 200, headers = {}, payments = both }: { status?: number; headers?: object; payments?: typeof both } = {},
) {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const all: Readonly<Record<string, string>> = { 'content-type': 'application/json', ...headers };
  const read = lenientParse(answers.batch, JSON.parse(text));
  if (!('value' in read)) throw new Error(text);
  const reply = { status, text, headers: all };
  const { data: batch, error } = read.value;
  return failuresIn({ data: batch, error: { detail: error?.detail ?? [] }, reply }, batchId, payments);
}

describe('A batch', () => {
  it.each<[string, object]>([
    ['that states nothing else', { data }],
    ['with all that one may state', whole],
    [
      'with its absent members as null',
      { data: { ...data, payments: null, additionalData: null }, links: null, error: null },
    ],
    [
      'with another spelling of its status and ids',
      { data: { ...data, batchId: ' B-1', status: 'CANCELLED', externalId: 'E' } },
    ],
    ['with a relative link to itself', { data, links: { self: '/v3/batchpayments/B-1', authorise: null } }],
  ])('%s has failed as a whole (wire 12.4; behaviour 4.58)', (_, answer) => {
    expect(decided(answer)).toMatchObject({ failed: 'all', staysPaid: [] });
  });

  it.each<[string, object | string, Parameters<typeof decided>[1]?]>([
    ['of another id', { data: { ...data, batchId: 'other' } }],
    ['with a link to another batch', { data, links: { self: '/v3/batchpayments/other' } }],
    ['with a link to another resource', { data, links: { self: '/v3/subscriptions/b-1' } }],
    ['with a link to its file', { data, links: { paymentFile: '/files/b-1' } }],
    ['with another externalId', { data: { ...data, externalId: 'f' } }],
    ['of another subscription', { data: { ...data, externalId: 'e', subscriptionId: 'other' } }],
    ['recognised by its externalId', { data }, { payments: { ...both, isByExternalId: true } }],
    ['with status 203', { data }, { status: 203 }],
    ['with status 206', { data }, { status: 206 }],
    ['of another content type', { data }, { headers: { 'content-type': 'text/html' } }],
    ['with the location of a batch', { data }, { headers: { location: '/v3/batchpayments/b-1' } }],
    ['with a link in a header', { data }, { headers: { link: '</v3/batchpayments/b-2>' } }],
    ['with a status twice', '{"data":{"batchId":"b-1","status":"Completed","status":"Failed"}}'],
    ['with an escaped status twice', '{"data":{"batchId":"b-1","st\\u0061tus":"Completed","status":"Failed"}}'],
    [
      'with payments twice',
      '{"data":{"batchId":"b-1","status":"Failed","payments":[{"status":"Completed"}],"payments":null}}',
    ],
    ['with data twice', '{"data":{"status":"Completed"},"data":{"batchId":"b-1","status":"Failed"}}'],
    ['with a status under two names', { data: { ...data, Status: 'Completed' } }],
    ['with payments under another name', { data: { ...data, Payments: [{ status: 'Completed' }] } }],
    ['with a completed payment', { data: { ...data, payments: [payment('INV-1'), payment('INV-2', 'Completed')] } }],
    ['with a payment in progress', { data: { ...data, payments: [payment('INV-1'), payment('INV-2', 'Processing')] } }],
    [
      'with a payment of an unknown status',
      { data: { ...data, payments: [payment('INV-1'), payment('INV-2', 'AC04')] } },
    ],
    ['with a payment without status', { data: { ...data, payments: [payment('INV-1'), { paymentId: 'p' }] } }],
    [
      'with a payment that has a status within',
      { data: { ...data, payments: [payment('INV-1'), { ...payment('INV-2'), bank: { state: 'ACSC' } }] } },
    ],
    [
      'with a payment that was completed',
      { data: { ...data, payments: [payment('INV-1'), { ...payment('INV-2'), paymentCompletedDate: '2026-11-20' }] } },
    ],
    ['with fewer payments than were sent', { data: { ...data, payments: [payment('INV-1')] } }],
    ['with no payment', { data: { ...data, payments: [] } }],
    [
      'with more payments than were sent',
      { data: { ...data, payments: [1, 2, 3].map((each) => payment(`INV-${each}`)) } },
    ],
    ['with its payments as an object', { data: { ...data, payments: { 0: payment('INV-1', 'Completed') } } }],
    ['with completed payments elsewhere', { data: { ...data, completedPayments: [{ reference: 'INV-1' }] } }],
    ['with a count of completed payments', { data: { ...data, completedPayments: 1 } }],
    ['with transactions', { data, transactions: [{ status: 'Completed' }] }],
    ['with included payments', { data, included: [{ type: 'payment', status: 'Completed' }] }],
    ['with a list of statuses', { data: { ...data, paymentStatuses: ['Completed', 'Failed'] } }],
    ['with a paid amount', { data: { ...data, amountPaid: '1,00' } }],
    ['with a status beside its data', { data, status: 'Completed' }],
    ['with a status within', { data, meta: { batch: { paymentStatus: 'Settled' } } }],
    ['with a batch status', { data: { ...data, batchStatus: 'Completed' } }],
    ['with an error of the data', { data: { ...data, error: { message: 'partly completed' } } }],
    ['with a harmless note', { data: { ...data, note: 'x' } }],
    ['that is partly completed', { data: { ...data, status: 'PartiallyCompleted', payments: whole.data.payments } }],
    [
      'that is completed, with failed payments',
      { data: { ...data, status: 'Completed', payments: whole.data.payments } },
    ],
    ['that is in progress', { data: { ...data, status: 'Processing', payments: whole.data.payments } }],
    ['of an unknown status', { data: { ...data, status: 'FailedPartly' } }],
  ])('%s frees no invoice (wire 12.4; behaviour 4.58; threat 3.27)', (_, answer, how) => {
    expect(decided(answer, how).failed).toEqual([]);
  });

  it('with any further member in any object, or any other status, frees no invoice (threat 3.27)', () => {
    const places = (value: unknown, path: string[] = []): string[][] =>
      typeof value !== 'object' || value === null
        ? []
        : [
            ...(Array.isArray(value) ? [] : [path]),
            ...Object.entries(value).flatMap(([name, each]) => places(each, [...path, name])),
          ];
    const within = (value: object, path: readonly string[]): Record<string, unknown> =>
      path.reduce<Record<string, unknown>>(
        (at, name) => at[name] as Record<string, unknown>,
        value as Record<string, unknown>,
      );
    const anywhere = fc.constantFrom(...places(whole));
    fc.assert(
      fc.property(anywhere, fc.string({ minLength: 1 }), fc.json(), (path, name, value) => {
        const changed = structuredClone(whole);
        fc.pre(
          !(name in within(changed, path)) &&
            name !== '__proto__' &&
            !['authorise', 'paymentFile', 'code', 'message', 'name'].includes(name),
        );
        within(changed, path)[name] = JSON.parse(value);
        expect(decided(changed).failed).toEqual([]);
      }),
      { numRuns: runsOf(300) },
    );
    const ofStatus = places(whole).filter((path) => 'status' in within(whole, path));
    fc.assert(
      fc.property(
        fc.constantFrom(...ofStatus),
        fc.oneof(fc.string(), fc.constantFrom('Completed', 'failed?')),
        (path, status) => {
          fc.pre(!isFailure(status));
          const changed = structuredClone(whole);
          within(changed, path)['status'] = status;
          expect(decided(changed).failed).toEqual([]);
        },
      ),
      { numRuns: runsOf(100) },
    );
  });
});

describe('What the service says of payments', () => {
  const says = (payments: object[], more: object = {}) =>
    decided({ data: { batchId, status: 'PartiallyCompleted', payments }, ...more });

  it('is kept by reference with the words of its errors, except of completed ones (behaviour 4.46)', () => {
    const { says: said } = says([payment('INV-2', 'Completed'), payment('INV-1'), payment('INV-3', 'Held')], {
      error: {
        detail: [{ target: 'creditorAccount', message: 'account closed', code: 'AC04', resourceId: 'p-INV-1' }],
      },
    });
    expect(said).toEqual([
      { reference: 'INV-1', status: 'Failed', words: 'account closed' },
      { reference: 'INV-3', status: 'Held', words: '' },
    ]);
  });

  it('is told with all statuses if a reference is listed several times, and with the batch’s if there is none', () => {
    const { status: _, ...bare } = payment('INV-2');
    expect(
      says([payment('INV-1'), payment('INV-1', 'Completed'), bare, { ...payment('INV-3'), status: {} }]).says,
    ).toEqual([
      { reference: 'INV-1', status: 'Failed, Completed', words: '' },
      { reference: 'INV-2', status: 'PartiallyCompleted', words: '' },
      { reference: 'INV-3', status: 'unreadable', words: '' },
    ]);
  });

  it('is limited in length and number, and left out for a payment without a reference', () => {
    const long = 'x'.repeat(1000);
    const [said] = says([payment(long, long)]).says!;
    expect([said?.reference.length, said?.status.length]).toEqual([140, 100]);
    expect(says(Array.from({ length: 3000 }, (_, index) => payment(`INV-${index}`))).says).toHaveLength(2000);
    expect(says([payment('')]).says).toEqual([]);
  });

  it('names the invoices that count as paid, with one reason (behaviour 4.46)', () => {
    const asks = 'of these payments; paying one again asks for your confirmation.';
    expect(says([payment('INV-1'), payment('INV-2', 'Completed')]).staysPaid).toEqual([
      { reason: `The service says Failed ${asks}`, count: 1, invoices: ['INV-1'] },
    ]);
    expect(decided({ data: { batchId, status: 'PartiallyCompleted' } }).staysPaid).toEqual([
      { reason: `The service says PartiallyCompleted ${asks}`, count: 2, invoices: ['INV-1', 'INV-2'] },
    ]);
    expect(decided({ data: { ...data, amountPaid: '1,00' } }).staysPaid).toEqual([
      {
        reason: `The service says Failed, but its answer has the member data.amountPaid, ${asks}`,
        count: 2,
        invoices: ['INV-1', 'INV-2'],
      },
    ]);
    expect(says([payment('INV-1', 'Completed'), payment('INV-2', 'Completed')]).staysPaid).toHaveLength(1);
    expect(
      decided({ data: { batchId, status: 'Completed', payments: [payment('INV-1', 'Completed')] } }).staysPaid,
    ).toEqual([]);
  });

  it.each<[string, object, Parameters<typeof decided>[1]?]>([
    [
      'Failed, but its answer is this payment’s by its externalId alone,',
      { data },
      { payments: { ...both, isByExternalId: true } },
    ],
    ['Failed, but its answer has the status 203,', { data }, { status: 203 }],
    ['Failed, but its answer is about another batch (data.batchId),', { data: { ...data, batchId: 'other' } }],
    [
      'Failed, but its answer is about another batch (links.self),',
      { data, links: { self: '/v3/batchpayments/other' } },
    ],
    ['Failed, but its answer lists 1 of 2 payments,', { data: { ...data, payments: [payment('INV-1')] } }],
    [
      'Failed, but its answer lists 2 of 1 payment,',
      { data: { ...data, payments: whole.data.payments } },
      { payments: sent('INV-1') },
    ],
    ['Failed, but has another externalId than was sent,', { data: { ...data, externalId: 'f' } }],
    [
      'Processing, but has another subscriptionId than was sent,',
      { data: { batchId, status: 'Processing', subscriptionId: 't' } },
    ],
    [
      'Failed, Held',
      { data: { batchId, status: 'Completed', payments: [payment('INV-1'), payment('INV-1', 'Held')] } },
    ],
  ])('gives the reason why an invoice counts as paid: %s', (words, answer, how) => {
    const { failed, staysPaid } = decided(answer, how);
    expect([failed, staysPaid.map(({ reason }) => reason)]).toEqual([
      [],
      [`The service says ${words} of these payments; paying one again asks for your confirmation.`],
    ]);
  });

  it('is nothing of a batch about which it is not this one’s, or that has not ended (behaviour 4.46)', () => {
    expect(decided({ data: { ...data, externalId: 'f', payments: whole.data.payments } }).says).toEqual([]);
    expect(decided({ data: { batchId, status: 'Processing', payments: [payment('INV-1')] } })).toEqual({
      failed: [],
      says: [],
      staysPaid: [],
    });
  });

  it('names an invoice without a reference by its amount and payee, and no more than 20 of one reason', () => {
    const [paid] = both.batch.payments;
    const nameless = [
      { ...paid!, remittanceInformation: {} },
      { ...paid!, remittanceInformation: { reference: '' }, creditor: { name: '', creditorId: 'c-1' } },
      { instructedAmount: { amount: '2.00', currency: 'EUR' }, creditor: { name: '' } },
    ];
    const unclear = { data: { ...data, amountPaid: '1,00' } };
    const invoicesOf = (payments: typeof both.batch.payments) =>
      decided(unclear, { payments: { ...both, batch: { ...both.batch, payments } } }).staysPaid[0];
    expect(invoicesOf(nameless)?.invoices).toEqual(['1.00 GBP to Paper', '1.00 GBP to c-1', '2.00 EUR to ']);
    expect(invoicesOf(Array.from({ length: 21 }, () => paid!))).toMatchObject({
      count: 21,
      invoices: Array.from({ length: 20 }, () => 'INV-1'),
    });
    expect(invoicesOf([])).toBe(undefined);
  });

  it('has each word once, of at most 300 characters, and what names an error that has no message', () => {
    const error = (more: object) => ({ resourceId: 'p-INV-1', ...more });
    const wordsOf = (...detail: object[]) => says([payment('INV-1')], { error: { detail } }).says;
    expect(
      wordsOf(
        error({ target: 'a', message: 'closed', code: 'AC04' }),
        error({ target: 'b', message: 'closed', code: 'AC04' }),
        error({ target: 'c', message: '', code: 'AC01' }),
        error({ target: 'd', message: '', code: '' }),
      ),
    ).toEqual([{ reference: 'INV-1', status: 'Failed', words: 'closed; AC01; d' }]);
    expect(wordsOf(error({ target: 'a', message: 'x'.repeat(400), code: '' }))).toMatchObject([
      { words: 'x'.repeat(300) },
    ]);
  });
});
