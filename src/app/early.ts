import { invoiceCounts } from '#contract/constants.ts';
import type { Facts } from '#contract/facts.ts';
import { reason, type JourneyId } from '#machines/journeys.ts';
import { begin } from './client.ts';

/** The first state of the journeys below; the server's timeline assigns these reads to it. */
const loading = (id: JourneyId) => `${id}/loading`;

/** Starts the reads for a form built from the current provider's rules (ports/providerTerms.ts). */
function terms(id: JourneyId, { provider }: Facts): void {
  if (!provider) return;
  begin('getProvider', { params: { providerId: provider.providerId } }, loading(id));
  begin('getLocalInstruments', {}, loading(id));
}

/** Starts the read of messages about the current subscription that await their answer (ports/messages.ts). */
function pending(id: JourneyId, kind: string, { settings: { subscriptionId } }: Facts): void {
  if (subscriptionId) begin('listMessages', { query: { state: 'waiting', kind, subscriptionId } }, loading(id));
}

function payment(id: JourneyId, facts: Facts, search: string): void {
  terms(id, facts);
  begin('getDebtors', {}, loading(id));
  begin('getCreditors', {}, loading(id));
  const chosen = new URLSearchParams(search).has('invoices');
  const query = { count: String(invoiceCounts[0]), debtorId: '', paid: 'true' } as const;
  if (!chosen) begin('getInvoices', { query }, loading(id));
}

const settings = (id: JourneyId) => begin('getSettings', {}, loading(id));
const batches = (id: JourneyId) => begin('getPostedBatches', {}, loading(id));

/** Starts the first reads of each journey's ports that depend only on the facts. */
const reads: Partial<Record<JourneyId, (id: JourneyId, facts: Facts, search: string) => void>> = {
  subscription: settings,
  bankSubscription(id) {
    settings(id);
    begin('getBanks', {}, loading(id));
  },
  authorisation(id) {
    begin('getSettings', { query: { lists: 'whole' } }, loading(id));
  },
  debtor(id, facts) {
    terms(id, facts);
    pending(id, 'debtoraccountputs', facts);
  },
  debtorQuery: (id, facts) => pending(id, 'debtoraccountputs,debtoraccountdeletes', facts),
  creditor(id, facts) {
    terms(id, facts);
    pending(id, 'creditorputs', facts);
  },
  creditorQuery: (id, facts) => pending(id, 'creditorputs,creditordeletes', facts),
  electronicPayment: payment,
  filePayment(id, facts, search) {
    payment(id, facts, search);
    begin('getFileFormats', {}, loading(id));
  },
  batch: batches,
  batchList: batches,
  additionalData(id) {
    settings(id);
    begin('getProviders', {}, loading(id));
  },
};

/**
 * Starts the first reads of a journey while its code is loading, unless it is blocked. `search` is its address's query.
 */
export function readEarly(id: JourneyId, facts: Facts, search: string): void {
  if (reason(id, facts) === undefined) reads[id]?.(id, facts, search);
}
