import { parse, stringify } from '#contract/json.ts';
import type { SavedPayments } from '#contract/situation.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import { batchAnswers } from '#server/payments/batchAnswers.ts';
import { ownIdentities } from '#server/payments/identifiedBatch.ts';
import { identitiesOf, sumsBy } from '#server/payments/invoiceIdentity.ts';
import { payerOf } from '#server/payments/payer.ts';
import { paymentAttempts, sentFirst, sentPayments, undecided, type PaymentAttempt } from '#server/payments/records.ts';
import type { Payer } from '#server/storage/paidInvoices.ts';

/** Why the response to a payment is not known that was under way when its situation was saved. */
const lost = 'The situation was saved before the response arrived.';

/** Why invoices are reserved that another payment of the file covers as well. */
const reason = 'It was so in the situation file.';

type Here = Pick<CompanyContext, 'store'>;

/** Returns the payments by which the console refuses, or warns of, a second payment of an invoice of the company. */
export async function paymentsIn({ store }: Here): Promise<SavedPayments> {
  const at = { workspace: store.workspace, companyKey: store.scope };
  const made: SavedPayments['made'] = [];
  for (const { batchId, key, reservedAt } of await store.paidInvoices.madeAt(at)) {
    const [payments, answer] = [
      await store.records(sentPayments).get(batchId),
      await store.records(batchAnswers).get(batchId),
    ];
    const { status = '', ended, readAt = '', firstReadAt, failed = [], staysPaid = [] } = answer ?? {};
    made.push({
      ...{ batchId, key, reservedAt, payments: payments ?? [] },
      ...(answer && {
        answer: {
          ...{ status, readAt, failed, staysPaid },
          ...(ended !== undefined && { ended }),
          ...(firstReadAt !== undefined && { firstReadAt }),
        },
      }),
    });
  }
  const open = await store.records(paymentAttempts).list(undecided);
  return { made, undecided: open.map(savedAttempt) };
}

type SavedAttempt = SavedPayments['undecided'][number];

function savedAttempt(attempt: PaymentAttempt): SavedAttempt {
  const { state: _, settled: __, summary, ...saved } = attempt;
  if (!summary?.interactionId)
    throw new Failure(
      'forbidden',
      'A payment that an earlier version of the console has sent has an unknown outcome: settle it before you save the situation.',
    );
  return { ...saved, summary, request: sentFirst(attempt) as SavedAttempt['request'] }; // stored by send
}

/**
 * Replaces the keys under which the sandbox knows the undecided payments of a file by those that this console sends for
 * them (`keyFor`): a repeat then finds the first request, and nothing is paid twice.
 */
export const withServiceKeys = <T>(value: T, { undecided: open }: SavedPayments, keyFor: (key: string) => string): T =>
  parse(
    open.reduce((all, { key, summary }) => all.replaceAll(summary.interactionId, keyFor(key)), stringify(value)),
  ) as T; // of the same form

/** Reserves invoices for a payment of a file, whatever others cover them. */
async function reserve(
  { store }: Here,
  payer: Payer,
  reservation: { key: string; identities: string[]; sums?: string[]; at: number },
) {
  const others = await store.paidInvoices.reserve(payer, reservation);
  if (others.length > 0) await store.paidInvoices.reserve(payer, { ...reservation, reason });
}

/** Stores the payments of a file in a company that has none. */
export async function putPayments(
  here: Pick<CompanyContext, 'store' | 'config' | 'newId'>,
  { made, undecided: open }: SavedPayments,
): Promise<void> {
  const { store, config, newId } = here;
  const payer = await payerOf({ store, config });
  if (!payer) return;
  for (const { batchId, key, reservedAt: at, payments, answer } of made) {
    const identities = payments.flatMap((payment) => payment.identities);
    await reserve(here, payer, { key, identities, at });
    await store.paidInvoices.confirm(payer, key, batchId);
    await store.records(sentPayments).put(batchId, payments);
    const asked = { by: newId(), turn: 0 };
    if (answer) await store.records(batchAnswers).put(batchId, { batchId, asked, ...answer });
  }
  for (const attempt of open) {
    const { key, request, known = [], sentAt: at } = attempt;
    await reserve(here, payer, {
      ...{ key, at, identities: identitiesOf(request, known).flatMap(ownIdentities) },
      sums: request.payments.map(sumsBy(known)).flatMap(({ own }) => own),
    });
    await store.records(paymentAttempts).put(key, { lost, ...attempt, state: 'unknown' });
  }
}
