import type { CompanyContext } from '#server/companies/companyContext.ts';
import type { ParsedBody } from '#contract/shapes.ts';
import { sending } from '#server/messages/outbox.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { creditors, debtors } from '#server/companies/records.ts';
import type { Handlers } from './handlers.ts';

const sends = {
  putDebtor: sending<ParsedBody<'putDebtor'>['data']>('debtoraccountputs', (data) => data.debtorId),
  putCreditor: sending<ParsedBody<'putCreditor'>['data']>('creditorputs', (data) => data.creditorId),
  deleteDebtor: sending<ParsedBody<'deleteDebtor'>['data']>('debtoraccountdeletes', (data) => data.debtorId),
  deleteCreditor: sending<ParsedBody<'deleteCreditor'>['data']>('creditordeletes', (data) => data.creditorId),
  queryDebtors: sending('debtoraccountlistqueries', (data) => data.subscriptionId),
  queryCreditors: sending('creditorlistqueries', (data) => data.subscriptionId),
} satisfies Partial<Handlers>;

/** Returns the debtors or creditors of the current subscription. */
async function ofSubscription<Party>({ settings, store }: CompanyContext, kind: RecordKind<Party>) {
  return { data: await store.records(kind).list({ subject: settings.subscriptionId }) };
}

/** Handlers for debtors and creditors, and for the messages that create, delete and query them. */
export const partyHandlers = {
  ...sends,
  getDebtors: (context) => ofSubscription(context, debtors),
  getCreditors: (context) => ofSubscription(context, creditors),
} satisfies Partial<Handlers>;
