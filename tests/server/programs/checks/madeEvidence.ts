import { checks } from '#server/programs/checks/index.ts';
import type { Evidence, Invoice, ProgramRun, Verdict } from '#server/programs/checks/evidence.ts';
import type { RecordedBatch, RecordedCall, RecordedWebhook } from '#server/sandbox/recorded.ts';

const invoice = (id: string, amount: string): Invoice => ({
  id,
  creditorId: `creditor-${id}`,
  creditorName: `Creditor ${id}`,
  amount,
  currency: 'GBP',
  reference: id,
});

/** The invoices that the program of these tests is asked to pay. */
const invoices = [invoice('A', '10.00'), invoice('B', '20.50')];

/** The beginning of the first run, in ms since the epoch. */
const begin = 1_700_000_000_000;

export const bodyFor = (ids: readonly string[], more: object = {}): string =>
  JSON.stringify({
    data: {
      externalId: `batch-${ids.join('')}`,
      subscriptionId: 'subscription-1',
      ...more,
      payments: invoices
        .filter(({ id }) => ids.includes(id))
        .map(({ creditorId, creditorName, amount, currency, reference }) => ({
          instructedAmount: { amount, currency },
          creditor: { creditorId, name: creditorName },
          remittanceInformation: { reference },
        })),
    },
  });

/** A call at this time (ms) after the beginning; answered with 200 after 20 ms unless `more` says otherwise. */
export const call = (number: number, after: number, more: Partial<RecordedCall> = {}): RecordedCall => ({
  number,
  at: begin + after,
  ms: 20,
  method: 'GET',
  path: '/v3/providers',
  query: '',
  operation: 'providers',
  headers: {},
  body: '',
  status: 200,
  response: { headers: {}, body: '' },
  isDone: true,
  mistakes: [],
  ...more,
});

/** A call that creates a batch for these invoices. */
export const pay = (
  number: number,
  after: number,
  key: string,
  { ids = ['A', 'B'], ...more }: Partial<RecordedCall> & { ids?: readonly string[] } = {},
): RecordedCall =>
  call(number, after, {
    method: 'POST',
    path: '/v3/batchpayments',
    operation: 'createBatch',
    status: 201,
    headers: { authorization: 'Bearer token-number-1', ...(key !== '' && { 'x-idempotency-key': key }) },
    body: bodyFor(ids),
    ...more,
  });

/** A call for the company's token, answered with this one. */
export const token = (number: number, after: number, jwt: string, more: Partial<RecordedCall> = {}): RecordedCall =>
  call(number, after, {
    method: 'POST',
    path: '/auth-v1/accessToken',
    operation: 'accessToken',
    headers: { 'x-organisation-id': 'o', 'x-company-id': 'c', 'x-nonce': `nonce-${number}`, 'x-signature': 's' },
    response: { headers: {}, body: JSON.stringify({ jwt }) },
    ...more,
  });

/** A reading of a batch. */
export const read = (number: number, after: number, more: Partial<RecordedCall> = {}): RecordedCall =>
  call(number, after, {
    path: '/v3/batchpayments/batch-1',
    operation: 'batch',
    headers: { authorization: 'Bearer token-number-1' },
    response: { headers: {}, body: '{"data":{"status":"Completed","payments":[{"status":"Completed"}]}}' },
    ...more,
  });

/** A batch that pays these invoices. */
export const batch = (number: number, ids: readonly string[] = ['A', 'B'], status = 'Completed'): RecordedBatch => ({
  batchId: `batch-${number}`,
  companyId: 'c',
  externalId: `batch-${ids.join('')}`,
  idempotencyKey: `k${number}`,
  status,
  at: begin,
  payments: invoices
    .filter(({ id }) => ids.includes(id))
    .map(({ creditorId, amount, currency, reference }, index) => ({
      paymentId: `payment-${number}-${index}`,
      status,
      amount,
      currency,
      creditorId,
      reference,
    })),
});

/** A run between these times (ms) after the beginning, which ended by itself with status 0. */
export const run = (from = 0, to = 10_000, more: Partial<ProgramRun> = {}): ProgramRun => ({
  startedAt: begin + from,
  endedAt: begin + to,
  exitStatus: 0,
  ended: 'itself',
  asked: ['A', 'B'],
  ...more,
});

/** A webhook about the first batch, delivered once with an answer of this status. */
export const webhook = (
  fault: string | undefined,
  status: number,
  more: { ms?: number; at?: number; isClosed?: boolean; outcome?: string } = {},
): RecordedWebhook => ({
  webhookId: 'msg_1',
  type: 'batchUpdated',
  ...(fault !== undefined && { fault }),
  deliveries: [
    { at: begin + 500, ms: 15, status, outcome: '', headers: {}, body: '{"resource":{"id":"batch-1"}}', ...more },
  ],
});

/** Evidence of one run without calls, with these members instead. */
export const evidence = (more: Partial<Evidence> = {}): Evidence => ({
  scenario: 'works',
  calls: [],
  webhooks: [],
  batches: [],
  invoices,
  runs: [run()],
  redirected: [],
  secrets: [],
  works: true,
  ...more,
});

/** Returns what a check says about the evidence. */
export function judge(id: string, more: Partial<Evidence>): Verdict {
  const check = checks.find((each) => each.id === id);
  if (!check) throw new Error(`There is no check ${id}`);
  return check.judge(evidence(more));
}

/** The verdict alone. */
export const verdict = (id: string, more: Partial<Evidence>): Verdict['verdict'] => judge(id, more).verdict;
