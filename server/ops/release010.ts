import { parse } from '#contract/json.ts';
import type { JsonObject } from '#contract/json.ts';
import { accounts, batches, creditors, datasets, debtors, subscriptions } from '#server/companies/records.ts';
import { provenanceRecords } from '#server/companies/provenance.ts';
import { latestMessages, messages, webhooks } from '#server/messages/records.ts';
import type { Message } from '#server/messages/records.ts';
import { intentionOf } from '#server/payments/invoiceIdentity.ts';
import type { Batch } from '#server/payments/invoiceIdentity.ts';
import { summaryOf } from '#server/payments/pendingPayments.ts';
import { isUndecided, paymentAttempts } from '#server/payments/records.ts';
import type { PaymentAttempt } from '#server/payments/records.ts';
import { programTokens } from '#server/programs/tokens.ts';
import type { OpenCollection, RecordKind } from '#server/storage/records.ts';
import type { EarlierPayment, EarlierRecord, TakeOver } from '#server/storage/release010.ts';
import { counts } from '#server/webhooks/inbox.ts';

/** The kinds of records of release 0.1.0 that have the same form today, by their names then. */
const unchanged: Readonly<Record<string, RecordKind<never>>> = {
  ...{ subscriptions, batches, debtors, creditors, accounts, datasets, webhooks, counts },
  ...{ subjects: latestMessages, made: provenanceRecords, programs: programTokens },
};

/** An attempt at a payment as release 0.1.0 stored it; see PaymentAttempt. */
interface EarlierAttempt extends Pick<PaymentAttempt, 'key' | 'intention' | 'state' | 'madeAt' | 'sentAt' | 'despite'> {
  /** The identities of its invoices. */
  invoices: string[];
  batchId: string;
  /** The batch that was sent first while the outcome is undecided, as JSON; otherwise ''. */
  request: Batch | string;
}

/** A message before messages had ids: the latest one of each resource. */
type EarlierMessage = Pick<Message, 'resourceId' | 'kind' | 'state' | 'detail'> & { data: JsonObject };

function messageFrom(stored: Message | EarlierMessage): Message {
  if ('messageId' in stored) return stored;
  const { resourceId, kind, state, detail, data } = stored;
  const { subscriptionId } = data;
  return {
    ...{ messageId: resourceId, kind, resourceId, data, state, detail, status: '', sentAt: '', forwarded: true },
    subscriptionId: typeof subscriptionId === 'string' ? subscriptionId : '',
  };
}

function attemptFrom({ key, intention, state, madeAt, sentAt, despite, request }: EarlierAttempt): PaymentAttempt {
  const attempt = { key, intention, state, madeAt, sentAt, despite, request: null };
  if (!isUndecided(attempt)) return attempt;
  const batch = typeof request === 'string' ? (parse(request) as Batch) : request; // it was stored when it was sent
  return {
    ...{ ...attempt, intention: intentionOf(batch), request: batch, summary: summaryOf(batch, '') },
    lost: 'Its response was lost, or the console stopped before it arrived.',
  };
}

const paymentOf = ({ workspace, companyKey }: EarlierRecord, attempt: EarlierAttempt): EarlierPayment | undefined => {
  const { key, invoices, state, batchId, sentAt } = attempt;
  const isPaidOrMayBe = state === 'done' || isUndecided({ ...attempt, request: null });
  return isPaidOrMayBe ? { workspace, companyKey, key, identities: invoices, batchId, sentAt } : undefined;
};

/** Takes over the records of release 0.1.0. Kinds that no area has are left behind. */
export function takeOver(collection: OpenCollection): TakeOver {
  return async (record) => {
    const { kind, id, value, ...at } = record;
    if (kind === 'attempts') {
      const attempt = value as EarlierAttempt; // as that release stored it
      await collection(paymentAttempts).put(at, id, attemptFrom(attempt));
      return paymentOf(record, attempt);
    }
    if (kind === 'messages') {
      const message = messageFrom(value as Message | EarlierMessage); // as that release stored it
      await collection(messages).put(at, message.messageId, message);
      return undefined;
    }
    const same = unchanged[kind];
    if (!same) return undefined;
    const companyKey = same.isOfWorkspace ? '' : at.companyKey;
    await collection(same).put({ ...at, companyKey }, id, value as never); // the same form
    return undefined;
  };
}
