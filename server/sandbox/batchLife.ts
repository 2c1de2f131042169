import type { BatchError, Provider } from '#contract/entities.ts';
import type { KeptBatch } from './records.ts';
import type { Services } from './services.ts';

/**
 * The sandbox's magic value: a payment to a creditor with this word in the name fails at the bank.
 * choice: public pages name none (upstream-api, section 16).
 */
export const failingName = /\bfails\b/i;

type Fault = Pick<BatchError, 'target' | 'message' | 'code' | 'index'>;

type Life = Pick<Services, 'config' | 'catalogue' | 'clock' | 'storage' | 'schedule' | 'webhooks'>;

/** Batches from Received to their end (upstream-api, section 12); spelling of the end states is a choice. */
export function createBatchLife({ config, catalogue, clock, storage, schedule, webhooks }: Life) {
  const find = (batchId: string) => storage.find('batch', batchId);

  function providerOf({ request: { subscriptionId = '' } }: KeptBatch): Provider | undefined {
    const subscription = storage.find('subscription', subscriptionId);
    return subscription && catalogue.providerById(subscription.providerId);
  }

  /** Debtor and creditors that the provider should have been given first, and was not (upstream-api, section 7). */
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

  /** Each error with the resource it is about: its payment, or the batch. */
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
    const failed = payments.filter(({ status }) => status === 'Failed').length;
    const status = failed === 0 ? 'Completed' : failed === payments.length ? 'Failed' : 'PartiallyCompleted';
    return { ...batch, payments, status };
  }

  /** The batch one step further, undefined at an end. */
  function advanced(batch: KeptBatch): KeptBatch | undefined {
    if (batch.status === 'Processing') return settled(batch);
    if (batch.status !== 'Received') return undefined;
    const errors = errorsOf(batch);
    if (errors.length > 0) return { ...withStatus(batch, 'Rejected'), errors };
    return withStatus(batch, batch.request.fileFormatId === undefined ? 'Processing' : 'PaymentFileAvailable');
  }

  schedule.on('batch', ({ batchId }) => {
    const batch = find(batchId);
    const next = batch && advanced(batch);
    if (!next) return undefined;
    storage.save('batch', batchId, next);
    webhooks.batchUpdated(next);
    return next.status === 'Processing' ? config.stepDelay : undefined;
  });

  return {
    find,
    receive(batch: KeptBatch): void {
      storage.save('batch', batch.batchId, batch);
      schedule.add('batch', { batchId: batch.batchId }, config.stepDelay);
    },
  };
}

export type BatchLife = ReturnType<typeof createBatchLife>;
