import type { BatchRecord } from '#contract/batch.ts';
import { jsonIn } from '#contract/json.ts';
import { isBatchEnd, isSubscriptionEnd } from '#contract/status.ts';
import type { Facts, Made, MadeKind } from '#contract/facts.ts';
import { counted } from '#rules/counted.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { textAt } from '#rules/path.ts';
import { sentAccount, payeesText, providerIn, sentDay } from './sentValues.ts';

/** A result in words. */
export interface ResultSummary {
  /** The record's name; for a batch its amount, for a subscription its provider. */
  title: string;
  /** One line that says more of it; '' for none. */
  under: string;
  /** The record's status at the service; '' if it has none or it is not known here. */
  status: string;
  /** The values that matter, by label; '' for those that are unknown. */
  values: Readonly<Record<string, string>>;
}

const nouns: Readonly<Record<MadeKind, string>> = {
  organisation: 'Organisation',
  company: 'Company',
  accessToken: 'Access token',
  account: 'Account',
  dataset: 'Data set',
  subscription: 'Subscription',
  debtor: 'Debtor',
  creditor: 'Creditor',
  batch: 'Batch',
};

/** What a record is, as the label of its id. */
export const nounOf = (kind: MadeKind): string => nouns[kind];

/** How a message to the provider has ended, as far as it is known. */
export type MessageEnd = 'unknown' | 'accepted' | 'refused';

const acts: Readonly<Partial<Record<MadeKind, string>>> = { accessToken: 'obtained', batch: 'submitted' };
const endings: Readonly<Record<MessageEnd, string>> = { unknown: 'sent', accepted: 'created', refused: 'refused' };

/**
 * The title of a result, such as "Company created". A provider creates debtors and creditors: until then they are sent. A
 * batch or subscription that has ended, with this `status`, is no longer just submitted or created.
 */
export function resultTitle(kind: MadeKind, end: MessageEnd, status = ''): string {
  if (kind === 'debtor' || kind === 'creditor') return `${nouns[kind]} ${endings[end]}`;
  const hasEnded = isBatchEnd(status) || isSubscriptionEnd(status);
  return `${nouns[kind]} ${hasEnded ? status : (acts[kind] ?? 'created')}`;
}

/** The status of what a result is about, as the service said it last; '' if it has none. */
export function statusIn(kind: MadeKind, { id }: Made, facts: Facts): string {
  if (kind === 'batch') return batchOf(facts, id)?.status ?? '';
  return kind === 'subscription' && facts.subscription?.subscriptionId === id ? facts.subscription.status : '';
}

/** The batch of a payment's result; undefined if the settings do not list it. */
function batchOf({ settings }: Facts, id: string): BatchRecord | undefined {
  const batches = JSON.parse(settings.postedBatches) as BatchRecord[]; // the server assembles it by this shape
  return batches.find(({ batchId }) => batchId === id);
}

/** The values that matter of each kind of record, from the body with which it was created. */
const valuesOf: Readonly<Record<MadeKind, (body: unknown, facts: Facts) => Readonly<Record<string, string>>>> = {
  organisation: (body) => ({ Country: textAt(body, 'primaryCountry'), 'Admin e-mail': textAt(body, 'adminEmail') }),
  company: (body) => ({ 'External id': textAt(body, 'externalId'), 'Tax number': textAt(body, 'taxNumber') }),
  accessToken: () => ({}),
  account: (body) => ({ Owner: textAt(body, 'data.owner.user.email') }),
  dataset: (body) => ({
    Country: textAt(body, 'data.attributes.country'),
    'External id': textAt(body, 'data.attributes.externalId'),
  }),
  subscription: () => ({}),
  debtor: (body, facts) => ({ Account: sentAccount(body, 'debtor'), Provider: providerIn(body, facts) }),
  creditor: (body, facts) => ({ Account: sentAccount(body, 'creditor'), Provider: providerIn(body, facts) }),
  batch: (body, facts) => ({
    From: [sentAccount(body, 'debtor'), providerIn(body, facts)].filter(Boolean).join(', '),
    'Execution date': sentDay(textAt(body, 'data.requestedExecutionDateTime')),
  }),
};

/** The record that a journey has created, in words. `sent`: the body with which it was created; '' if that is unknown. */
export function resultSummary(kind: MadeKind, made: Made, facts: Facts, sent: string): ResultSummary {
  const body = jsonIn(sent);
  const external =
    textAt(body, 'data.attributes.name') || textAt(body, 'data.attributes.externalId') || textAt(body, 'sageCRMId');
  const values = valuesOf[kind](body, facts);
  const summary = { title: made.name || external || nouns[kind], under: '', status: '', values };
  if (facts.lost === kind) return { ...summary, status: 'Unknown to the service' };
  if (kind === 'subscription')
    return { ...summary, title: facts.provider?.name ?? summary.title, status: facts.subscription?.status ?? '' };
  if (kind !== 'batch') return summary;
  const batch = batchOf(facts, made.id);
  const { count, to } = payeesText(body);
  return {
    ...summary,
    title: batch ? groupedAmounts(batch.amount) : summary.title,
    under: count === 0 ? '' : `${counted(count, 'payment')} to ${to}`,
    status: batch?.status ?? '',
  };
}
