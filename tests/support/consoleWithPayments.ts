import { setTimeout as wait } from 'node:timers/promises';
import type { BatchRequest } from '#contract/payment.ts';
import { systemClock } from '#server/clock.ts';
import type { Engine } from '#server/storage/engine.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { testConsole } from './console.ts';
import { executionDate, executionDateAfter } from './executionDate.ts';
import { answering, fakeUpstream, type Script } from './fakeUpstream.ts';
import { paid } from './fixtures.ts';
import { temporaryFolder } from './store.ts';

export const [payment] = paid.payments;
export const batch: BatchRequest = { externalId: 'e', ...paid, requestedExecutionDateTime: executionDate };
export const lost: Script = (response) => void response.destroy();

/** Every request makes another batch. */
export function making(): Script {
  let made = 0;
  return async (...exchange) => {
    await wait(20);
    return answering({ data: { batchId: `batch-${(made += 1)}`, status: 'Received' } }, 201)(...exchange);
  };
}

/** The time starts now, as on PostgreSQL, where it is the database's. */
export async function consoleWith(script: Script, folder = temporaryFolder(), now = Date.now(), engine?: Engine) {
  const time = { now };
  const clock = { ...systemClock, now: () => time.now };
  const service = await fakeUpstream({ [endpoints.batches]: script });
  const open = () => testConsole({ upstreamUrl: service.url, folder, clock, ...(engine && { engine }) });
  const server = await open();
  await server.store.settings.writeAll({
    organisationId: 'o',
    companyId: 'c',
    companySigningKey: 'k',
    subscriptionId: 'subscription-1',
  });
  const sent = () => service.askedFor(endpoints.batches);
  return { service, server, sent, open, time };
}

/** The same payee and sum, and no reference. */
export const bare = { ...payment!, remittanceInformation: { unstructured: 'as agreed' } };

export const noAccount = { creditorAccount: undefined, creditorAgent: undefined };

/** The same invoice in other words. */
export const changes: Record<string, Partial<BatchRequest>> = {
  'on another day': { requestedExecutionDateTime: executionDateAfter(1) },
  'with other data': { additionalData: { approval: 'RUN-002' } },
  'from another account': { debtor: { debtorId: 'debtor-2' } },
  'by another subscription': { subscriptionId: 'subscription-2' },
  'by file': { fileFormatId: 'format-1' },
  'with another amount': { payments: [{ ...payment!, instructedAmount: { amount: '120.49', currency: 'GBP' } }] },
  'with its reference in other letters': {
    payments: [{ ...payment!, remittanceInformation: { reference: ' INVOICE-1 ' } }],
  },
  'with its reference in other spacing': {
    payments: [{ ...payment!, remittanceInformation: { reference: 'invoice\u200b -\u00a01' } }],
  },
  'with its reference with another dash': {
    payments: [{ ...payment!, remittanceInformation: { reference: 'invoice\u2212\u00ad1' } }],
  },
  'with its reference in full-width letters': {
    payments: [{ ...payment!, remittanceInformation: { reference: 'ＩＮＶＯＩＣＥ－１\ufe0f' } }],
  },
  'to the same account in full-width digits': {
    payments: [
      {
        ...payment!,
        creditorAccount: { identification: '８７６５－４３２１' },
        creditor: { ...payment!.creditor, creditorId: 'creditor-2' },
      },
    ],
  },
  'to the same account, written otherwise, by another creditor': {
    payments: [
      {
        ...payment!,
        creditorAgent: { identification: '30-00-00' },
        creditorAccount: { identification: '8765 4321', name: 'PAPER' },
        creditor: { ...payment!.creditor, creditorId: 'creditor-2' },
      },
    ],
  },
  'to the creditor’s id alone': {
    payments: [
      {
        instructedAmount: payment!.instructedAmount,
        remittanceInformation: { reference: 'invoice-1' },
        creditor: { name: 'n', creditorId: 'creditor-1' },
      },
    ],
  },
  'to the creditor’s account alone': { payments: [{ ...payment!, creditor: { name: 'Paper and Sons' } }] },
  'to the creditor’s id in other letters': {
    payments: [{ ...payment!, ...noAccount, creditor: { name: 'n', creditorId: ' CREDITOR-1' } }],
  },
  'to the account with a second number': {
    payments: [
      {
        ...payment!,
        creditorAccount: { ...payment!.creditorAccount, secondaryIdentification: '20-00-00' },
        creditor: { name: 'n' },
      },
    ],
  },
  'to the creditor’s name alone': {
    payments: [{ ...payment!, ...noAccount, creditor: { name: ` ${payment!.creditor.name.toUpperCase()}` } }],
  },
  'without its reference': { payments: [bare] },
  'with its reference in the text': {
    payments: [{ ...payment!, remittanceInformation: { unstructured: 'Invoice\u20111' } }],
  },
  'beside another': {
    payments: [{ ...payment!, remittanceInformation: { reference: 'invoice-2' } }, payment!],
  },
};
