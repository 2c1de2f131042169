import { invoiceCounts } from '#contract/constants.ts';
import { dayFlaw, dayOf, daysFrom } from '#contract/executionDate.ts';
import type { FileFormat } from '#contract/lookup.ts';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import type { JourneyInput } from '#machines/lib/gate.ts';
import type { Corrected } from '#machines/payment/findings.ts';
import { electronicPaymentMachine, filePaymentMachine } from '#machines/payment/payment.machine.ts';
import type {
  InvoicesAsked,
  OutgoingPayment,
  PaymentInput,
  PaymentMaterial,
  PreparedPayment,
  UnsentBatch,
} from '#machines/payment/payment.ts';
import { transferMachine } from '#machines/payment/transfer.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { localDay } from '#rules/date.ts';
import { languageOf, spoken } from '#rules/language.ts';
import { call } from '../client/client.ts';
import type { JourneyCode } from '#machines/console.ts';
import { failureOfRepeat } from '../client/withIdempotencyKey.ts';
import { providerTerms, definitions } from './definitions.ts';
import { resource } from './resource.ts';

/** The data that both kinds of payment read. */
async function commonMaterial(
  { facts, invoiceCount, correcting }: JourneyInput<InvoicesAsked>,
  signal: AbortSignal,
): Promise<PaymentMaterial> {
  const [terms, debtors, creditors, invoices, corrected] = await Promise.all([
    providerTerms(facts, signal),
    call('getDebtors', { signal }),
    call('getCreditors', { signal }),
    call('getInvoices', { query: { count: String(invoiceCount), debtorId: '', paid: 'true' }, signal }),
    correcting === '' ? null : batchToCorrect(correcting, signal),
  ]);
  return {
    ...terms,
    today: localDay(new Date()),
    debtors: debtors.data,
    creditors: creditors.data,
    invoices: invoices.data,
    fileFormats: [],
    formatsFailed: null,
    corrected,
  };
}

async function batchToCorrect(batchId: string, signal: AbortSignal): Promise<Corrected> {
  const { data, error, references = [] } = await call('getBatch', { params: { batchId }, signal });
  return { batch: data, errors: error?.detail ?? [], references };
}

/**
 * From the address: the number of invoices (`invoices`) if it is one of those offered, otherwise the first of them; the
 * id of the batch to correct (`corrects`) and the error to focus (`at`), '' for none.
 */
const paymentInput = (query: URLSearchParams): PaymentInput => ({
  invoiceCount: invoiceCounts.find((count) => String(count) === query.get('invoices')) ?? invoiceCounts[0],
  correcting: query.get('corrects') ?? '',
  sought: query.get('at') ?? '',
});

/** Throws a Problem if the execution date has passed since the form was opened, in a tab left open past midnight. */
function demandDay({ requestedExecutionDateTime: at }: Pick<UnsentBatch, 'requestedExecutionDateTime'>): void {
  const message = dayFlaw(dayOf(at), daysFrom(localDay(new Date())));
  if (!message) return;
  const problem: Problem = {
    type: 'about:blank',
    title: 'The execution date has passed since this form was opened',
    status: 0,
    detail: message,
    code: 'invalid-request',
    errors: [{ path: 'requestedExecutionDateTime', message }],
    outcome: 'not-sent',
  };
  throw problem; // eslint-disable-line @typescript-eslint/only-throw-error -- effects reject with problems (machines/lib/effect.ts)
}

/** The effect `prepare`. The server stores the idempotency key, so it survives a reload. */
async function prepare(batch: UnsentBatch, signal: AbortSignal): Promise<PreparedPayment> {
  demandDay(batch);
  const { data } = await call('preparePayment', { body: batch, signal });
  return { ...data, openedAt: new Date().toISOString() };
}

/** The effect `pay`. A repeated attempt ignores the date, because it asks for the outcome of the first one. */
async function pay(
  { key, batch, again, shown, repeats }: OutgoingPayment,
  signal: AbortSignal,
): Promise<{ batchId: string }> {
  if (!repeats) demandDay(batch);
  const query = again ? { again: 'true' as const, shown } : {};
  const { data } = await call('createBatch', { body: batch, key, query, signal }).catch((error: unknown) => {
    throw repeats ? failureOfRepeat(error) : error;
  });
  return { batchId: data.batchId };
}

export const electronicPayment = {
  machine: provideEffects(electronicPaymentMachine, { loadMaterial: commonMaterial, prepare, pay }),
  input: paymentInput,
} satisfies JourneyCode;

const withLanguage = (format: FileFormat, asked: string): FileFormat => ({
  ...format,
  specification: { ...format.specification, rules: spoken(format.specification.rules, languageOf(format, asked)) },
});

/** A refusal opens the same gate as an empty list (behaviour, section 8: "returned a non-200 status or failed"). */
const loadFileFormats = (
  { settings }: Facts,
  signal: AbortSignal,
): Promise<Pick<PaymentMaterial, 'fileFormats' | 'formatsFailed'>> =>
  definitions('getFileFormats', { signal }).then(
    ({ data }) => ({
      fileFormats: data.map((format) => withLanguage(format, settings.acceptLanguage)),
      formatsFailed: null,
    }),
    (problem: Problem) => ({ fileFormats: [], formatsFailed: problem }),
  );

export const filePayment = {
  machine: provideEffects(filePaymentMachine, {
    loadMaterial: async (asked, signal) => {
      const [material, formats] = await Promise.all([
        commonMaterial(asked, signal),
        loadFileFormats(asked.facts, signal),
      ]);
      return { ...material, ...formats };
    },
    prepare,
    pay,
  }),
  input: paymentInput,
} satisfies JourneyCode;

export const transfer = { machine: transferMachine } satisfies JourneyCode;

/**
 * The payments whose outcome is unknown; each can be resent under its own idempotency key, so that it is paid once, one
 * at a time.
 */
export const resendPayment = resource({
  kind: { changesFacts: () => true },
  /** Sends the batch of an attempt once more, exactly as it was sent first and under the same idempotency key. */
  async act({ key }: { act: 'resend'; key: string }, signal) {
    const { data } = await call('getPaymentAttempt', { params: { key }, signal });
    await call('createBatch', { body: data, key, query: {}, signal }).catch((error: unknown) => {
      throw failureOfRepeat(error);
    });
    return null;
  },
});
