import type { BatchRecord } from '#contract/batch.ts';
import type { Bank, FileFormat, Provider, Rule } from '#contract/lookup.ts';
import type { Creditor, Debtor } from '#contract/party.ts';
import type { BatchRequest, Invoice } from '#contract/payment.ts';
import type { Problem } from '#contract/problem.ts';
import { rule } from '#tests/rules/support.ts';
import { everything } from './facts.ts';

/** The problem with which a failed port rejects. */
export const failure: Problem = {
  type: 'about:blank',
  title: 'The service cannot be reached',
  status: 502,
  detail: 'connect ECONNREFUSED',
  code: 'upstream-unreachable',
};

/** Rules of all four forms, each with a valid example. */
export const rules: Rule[] = [
  rule('Subscriptions', 'additionalData.serviceUserNumber', { example: '123456', regex: '^\\d{6}$' }),
  rule('DebtorAccounts', 'debtorAccount.name', { example: 'Example Trading Ltd' }),
  rule('DebtorAccounts', 'debtorAgent.identification', { example: '200000', regex: '^\\d{6}$' }),
  rule('Creditors', 'creditor.name', { example: 'Paper & Sons' }),
  rule('BatchPayments', 'payments.additionalData.purpose', { example: 'supplies' }),
];

export const provider: Provider = {
  providerId: 'provider-1',
  name: 'Example Bacs',
  country: ['GB'],
  accountType: { capabilities: [...(everything.provider?.capabilities ?? [])], validationRules: rules },
};

/** A provider that does not accept subscriptions. */
export const directProvider: Provider = {
  providerId: 'provider-2',
  name: 'Example Direct',
  country: ['GB'],
  accountType: { validationRules: [] },
};

export const bankProvider: Provider = { ...provider, providerId: 'provider-3', name: 'ecospend' };

export const bankOf = (bankId: string, serviceStatus: boolean): Bank => ({
  bank_id: bankId,
  name: bankId,
  friendly_name: `Bank ${bankId}`,
  is_sandbox: true,
  logo: '',
  icon: '',
  standard: 'obie',
  country_iso_code: 'GB',
  division: 'Sandbox',
  group: bankId,
  order: 100_000,
  service_status: serviceStatus,
  refund_supported: false,
  abilities: { domestic_payment: true },
});

export const debtor: Debtor = {
  debtorId: 'debtor-1',
  debtorAccountname: 'Example Trading Ltd',
  debtorAgentidentification: '200000',
  debtorAccountidentification: '12345678',
  currency: 'GBP',
  subscriptionId: 'subscription-1',
};

export const creditor: Creditor = {
  creditorId: 'creditor-1',
  creditorname: 'Paper & Sons',
  creditorAgentidentification: '300000',
  creditorAccountidentification: '87654321',
  creditorAccountSecondaryIdentification: '',
  creditorAddress1: '1 High Street',
  creditorAddress3: 'Leeds',
  creditorCountrySubDivision: '',
  creditorCountryCode: 'GB',
  creditorPostalCode: 'LS1 1AA',
  subscriptionId: 'subscription-1',
};

export const invoiceOf = (invoiceId: string, amount: string, more: Partial<Invoice> = {}): Invoice => ({
  invoiceId,
  creditor: creditor.creditorId,
  creditorName: creditor.creditorname,
  description: `Invoice ${invoiceId}`,
  amount,
  currency: 'GBP',
  ...more,
});

/** The body that pays invoice-1 (120.50, supplies) on 2026-11-20. */
export const paid: Omit<BatchRequest, 'externalId'> = {
  subscriptionId: 'subscription-1',
  debtor: { debtorId: 'debtor-1' },
  requestedExecutionDateTime: '2026-11-20T00:00:00Z',
  debtorAgent: { identification: '200000' },
  debtorAccount: { identification: '12345678', name: 'Example Trading Ltd' },
  payments: [
    {
      instructedAmount: { amount: '120.50', currency: 'GBP' },
      debtorAgent: { identification: '200000' },
      debtorAccount: { identification: '12345678', name: 'Example Trading Ltd' },
      creditorAgent: { identification: '300000' },
      creditorAccount: { identification: '87654321', name: 'Paper & Sons' },
      creditor: {
        name: 'Paper & Sons',
        creditorId: 'creditor-1',
        postalAddress: {
          addressLine1: '1 High Street',
          addressLine3: 'Leeds',
          countryCode: 'GB',
          postalCode: 'LS1 1AA',
        },
      },
      remittanceInformation: { reference: 'invoice-1', unstructured: 'Invoice invoice-1' },
      additionalData: { purpose: 'supplies' },
    },
  ],
};

export const fileFormat: FileFormat = {
  fileFormatId: 'format-1',
  name: 'Example Standard 18',
  specification: {
    rules: [
      {
        ruleId: 'author',
        sourceValidation: { jsonPath: 'userIdentification.name', optionality: 'Required', example: 'A Payer' },
      },
    ],
  },
};

export const batchRecord: BatchRecord = {
  batchId: 'batch-1',
  status: 'Received',
  amount: '120.50 GBP',
  kind: 'electronic',
  postedAt: '2026-11-20T09:00:00.000Z',
};

/** A payment file of one line. */
export const bankFile = { bytes: new TextEncoder().encode('UHL1'), type: 'text/plain', name: 'bacs-18_batch-1.txt' };
