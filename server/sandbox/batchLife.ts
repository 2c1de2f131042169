import type { BatchError } from '#contract/batch.ts';
import type { Provider } from '#contract/lookup.ts';
import { approvalName, type Consents } from './consents.ts';
import type { KeptBatch } from './records.ts';
import type { Services } from './services.ts';

/**
 * A payment to a creditor with this word in the name fails at the bank. choice: public pages define no test values
 * (wire, section 16).
 */
export const failingName = /\bfails\b/i;

/** The error of such a payment. */
const closedAccount = { target: 'creditorAccount', code: 'AccountClosed', message: 'Account closed' };

type Fault = Pick<BatchError, 'target' | 'message' | 'code' | 'index'>;

type Life = Pick<Services, 'config' | 'catalogue' | 'clock' | 'storage' | 'schedule' | 'webhooks'>;

/** Takes batches from Received to an end state (wire, section 12); the spelling of the end states is a choice. */
export function createBatchLife({ config, catalogue, clock, storage, schedule, webhooks }: Life, consents: Consents) {
  const find = (batchId: string) => storage.find('batch', batchId);

  function providerOf({ request: { subscriptionId = '' } }: KeptBatch): Provider | undefined {
    const subscription = storage.find('subscription', subscriptionId);
    return subscription && catalogue.providerById(subscription.providerId);
  }

  /** A fault for the debtor and for each creditor that has not been created (wire, section 7). */
  function unknownParties({ request }: KeptBatch, provider: Provider | undefined): Fault[] {
    const { subscriptionId, debtor, payments } = request;
    if (!provider?.accountType.capabilities?.includes('DebtorAccountRequired')) return [];
    const missing = (kind: 'debtor' | 'creditor', id: string | undefined): id is string =>
      id !== undefined && !storage.find(kind, `${subscriptionId}/${id}`);
    const fault = (target: string, id: string) => ({
      target,
      message: `the provider does not know ${id}`,
      code: 'NotFound',
    });
    const ofDebtor = missing('debtor', debtor?.debtorId) ? [fault('debtor.debtorId', debtor?.debtorId ?? '')] : [];
    const ofCreditors = payments.flatMap(({ creditor: { creditorId } }, index) =>
      missing('creditor', creditorId) ? [{ ...fault('payments.creditor.creditorId', creditorId), index }] : [],
    );
    return [...ofDebtor, ...ofCreditors];
  }

  /** The errors of a batch, each with the id of the payment or batch that it is about. */
  function errorsOf(batch: KeptBatch): BatchError[] {
    const { batchId, request, payments } = batch;
    const provider = providerOf(batch);
    const fileFormat = request.fileFormatId === undefined ? undefined : catalogue.fileFormatById(request.fileFormatId);
    return [...catalogue.batchViolations(provider, fileFormat, request), ...unknownParties(batch, provider)].map(
      (error) => ({
        ...error,
        resourceId: (error.index === undefined ? undefined : payments[error.index]?.paymentId) ?? batchId,
      }),
    );
  }

  const withStatus = (batch: KeptBatch, status: string): KeptBatch => ({
    ...batch,
    status,
    payments: batch.payments.map((payment) => ({ ...payment, status })),
  });

  function settled(batch: KeptBatch): KeptBatch {
    const paymentCompletedDate = new Date(clock.now()).toISOString();
    const payments = batch.payments.map((payment, index) =>
      failingName.test(batch.request.payments[index]?.creditor.name ?? '')
        ? { ...payment, status: 'Failed' }
        : { ...payment, status: 'Completed', paymentCompletedDate },
    );
    const errors = payments.flatMap(({ paymentId, status }, index) =>
      status === 'Failed' ? [{ ...closedAccount, index, resourceId: paymentId }] : [],
    );
    const failed = errors.length;
    const status = failed === 0 ? 'Completed' : failed === payments.length ? 'Failed' : 'PartiallyCompleted';
    return { ...batch, payments, status, errors };
  }

  /** The batch after its next step; undefined if its status does not change by itself. */
  function advanced(batch: KeptBatch): KeptBatch | undefined {
    if (batch.status === 'Processing') return settled(batch);
    if (batch.status !== 'Received') return undefined;
    const errors = errorsOf(batch);
    if (errors.length > 0) return { ...withStatus(batch, 'Rejected'), errors };
    if (batch.request.fileFormatId !== undefined) return withStatus(batch, 'PaymentFileAvailable');
    const isApproved = !batch.request.payments.some(({ creditor: { name } }) => approvalName.test(name));
    return withStatus(batch, isApproved ? 'Processing' : 'AwaitingAuthorisation');
  }

  schedule.on('batch', ({ batchId }) => {
    const batch = find(batchId);
    const next = batch && advanced(batch);
    if (!next) return undefined;
    storage.save('batch', batchId, next);
    webhooks.batchUpdated(next);
    return next.status === 'Processing' ? config.stepDelay : undefined;
  });

  consents.on('batch', ({ batchId }, status) => {
    const batch = find(batchId);
    if (batch?.status !== 'AwaitingAuthorisation') return;
    const next = withStatus(batch, { Authorised: 'Processing', Rejected: 'Rejected' }[status as string] ?? 'Cancelled');
    storage.save('batch', batchId, next);
    webhooks.batchUpdated(next);
    if (next.status === 'Processing') schedule.add('batch', { batchId }, config.stepDelay);
  });

  return {
    find,
    /** The links to authorise a batch, with a new expiry each time; empty unless the batch awaits authorisation. */
    authoriseLinks: ({ batchId, status, request }: KeptBatch) =>
      status === 'AwaitingAuthorisation'
        ? consents.ask(batchId, { kind: 'batch', batchId }, `a batch of ${request.payments.length} payments`)
        : {},
    receive(batch: KeptBatch): void {
      storage.save('batch', batch.batchId, batch);
      schedule.add('batch', { batchId: batch.batchId }, config.stepDelay);
    },
  };
}

export type BatchLife = ReturnType<typeof createBatchLife>;
