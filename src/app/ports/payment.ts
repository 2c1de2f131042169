import { invoiceCounts } from '#contract/constants.ts';
import type { FileFormat } from '#contract/lookup.ts';
import type { Problem } from '#contract/problem.ts';
import { blockers } from '#machines/journeys.ts';
import { electronicPaymentMachine, filePaymentMachine } from '#machines/payment/payment.machine.ts';
import type {
  InvoicesAsked,
  OutgoingPayment,
  PaymentMaterial,
  PreparedPayment,
  UnsentBatch,
} from '#machines/payment/payment.ts';
import { transferMachine } from '#machines/payment/transfer.machine.ts';
import { supply } from '#machines/port.ts';
import { localDay } from '#rules/date.ts';
import { languageOf, spoken } from '#rules/language.ts';
import { call } from '../client.ts';
import type { LiveJourney } from '../pages.ts';
import { factsFor, loadFactsOf } from './facts.ts';
import { providerTerms } from './providerTerms.ts';

/** What both kinds of payment need. Where a gate will speak nothing but the facts is read: the rest could only fail. */
export async function commonMaterial(
  journey: 'electronicPayment' | 'filePayment',
  { invoiceCount }: InvoicesAsked,
  signal: AbortSignal,
): Promise<Omit<PaymentMaterial, 'fileFormats'>> {
  const facts = await factsFor(journey, signal);
  const today = localDay(new Date());
  if (blockers(journey, facts).length > 0)
    return { facts, today, rules: [], maximumPayments: 0, debtors: [], creditors: [], invoices: [] };
  const [terms, debtors, creditors, invoices] = await Promise.all([
    providerTerms(facts, signal),
    call('getDebtors', { signal }),
    call('getCreditors', { signal }),
    call('getInvoices', { query: { count: String(invoiceCount), debtorId: '', paid: 'true' }, signal }),
  ]);
  return { facts, today, ...terms, debtors: debtors.data, creditors: creditors.data, invoices: invoices.data };
}

/** How many invoices the address asks for: `invoices`, if it is one of those offered. */
const paymentInput = (query: URLSearchParams): InvoicesAsked => ({
  invoiceCount: invoiceCounts.find((count) => String(count) === query.get('invoices')) ?? invoiceCounts[0],
});

/** The port `prepare`; the server keeps the key, so that it outlives a reload. */
export async function prepare(batch: UnsentBatch, signal: AbortSignal): Promise<PreparedPayment> {
  return (await call('preparePayment', { body: batch, signal })).data;
}

/** The port `pay`. */
export async function pay({ key, batch, again }: OutgoingPayment, signal: AbortSignal): Promise<{ batchId: string }> {
  const query = again ? { again: 'true' as const } : {};
  return { batchId: (await call('createBatch', { body: batch, key, query, signal })).data.batchId };
}

export const electronicPayment = {
  machine: supply(electronicPaymentMachine, {
    loadMaterial: async (asked, signal) => ({
      ...(await commonMaterial('electronicPayment', asked, signal)),
      fileFormats: [],
    }),
    prepare,
    pay,
  }),
  input: paymentInput,
} satisfies LiveJourney;

/** A refusal opens the same gate as finding none (behaviour, section 8: "returned a non-200 status or failed"). */
const loadFileFormats = (signal: AbortSignal): Promise<{ fileFormats: FileFormat[]; problem?: Problem }> =>
  call('getFileFormats', { signal }).then(
    ({ data }) => ({ fileFormats: data }),
    (problem: Problem) => ({ fileFormats: [], problem }),
  );

const withLanguage = (format: FileFormat, asked: string): FileFormat => ({
  ...format,
  specification: { ...format.specification, rules: spoken(format.specification.rules, languageOf(format, asked)) },
});

export const filePayment = {
  machine: supply(filePaymentMachine, {
    loadMaterial: async (asked, signal) => {
      const [material, { fileFormats, problem }] = await Promise.all([
        commonMaterial('filePayment', asked, signal),
        loadFileFormats(signal),
      ]);
      const facts = {
        ...material.facts,
        fileFormats: fileFormats.length,
        ...(problem && { unread: [...material.facts.unread, 'fileFormats' as const], unreadBecause: problem }),
      };
      const { acceptLanguage } = facts.settings;
      return { ...material, facts, fileFormats: fileFormats.map((format) => withLanguage(format, acceptLanguage)) };
    },
    prepare,
    pay,
  }),
  input: paymentInput,
} satisfies LiveJourney;

export const transfer = {
  machine: supply(transferMachine, { loadFacts: loadFactsOf('transfer') }),
} satisfies LiveJourney;
