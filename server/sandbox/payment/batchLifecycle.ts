import type { BatchError } from '#contract/batch.ts';
import type { Provider, Rule } from '#contract/lookup.ts';
import { counted } from '#rules/counted.ts';
import { validationOf } from '#rules/field.ts';
import type { Consents } from '../consent/lifecycle.ts';
import { catalogueOf } from '../lab/definitionFaults.ts';
import { markOf } from '../lab/faults.ts';
import { isMagic, namedFault } from '../lab/magicValues.ts';
import { Problem } from '../http/problem.ts';
import type { KeptBatch } from '../records.ts';
import type { Services } from '../services.ts';

/** The error of a payment that fails at the bank. */
const closedAccount = { target: 'creditorAccount', code: 'AccountClosed', message: 'Account closed' };

type Fault = Pick<BatchError, 'target' | 'message' | 'code' | 'index'>;

type Life = Pick<
  Services,
  'config' | 'catalogue' | 'clock' | 'storage' | 'transaction' | 'schedule' | 'webhooks' | 'faults'
>;

const namesIn = ({ request }: KeptBatch): string[] => request.payments.map(({ creditor: { name } }) => name);

/** Takes batches from Received to an end state (wire, section 12); the spelling of the end states is a choice. */
export function createBatchLife(
  { config, catalogue, clock, storage, transaction, schedule, webhooks, faults }: Life,
  consents: Consents,
) {
  const find = (batchId: string) => storage.find('batch', batchId);

  async function providerOf({ companyId, request: { subscriptionId = '' } }: KeptBatch): Promise<Provider | undefined> {
    const subscription = await storage.find('subscription', subscriptionId);
    const { catalogue: own } = catalogueOf(catalogue, (await storage.find('company', companyId))?.name);
    return subscription && own.providerById(subscription.providerId);
  }

  /** Returns a fault for the debtor and for each creditor that has not been created (wire, section 7). */
  async function unknownParties({ request }: KeptBatch, provider: Provider | undefined): Promise<Fault[]> {
    const { subscriptionId, debtor, payments } = request;
    if (!provider?.accountType.capabilities?.includes('DebtorAccountRequired')) return [];
    const known = {
      debtor: await storage.ids('debtor', `${subscriptionId}/`),
      creditor: await storage.ids('creditor', `${subscriptionId}/`),
    };
    const missing = (kind: 'debtor' | 'creditor', id: string | undefined): id is string =>
      id !== undefined && !known[kind].has(`${subscriptionId}/${id}`);
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

  async function rulesOf(batch: KeptBatch): Promise<Rule[]> {
    const provider = await providerOf(batch);
    const format = catalogue.fileFormatById(batch.request.fileFormatId ?? '');
    return [...(provider ? catalogue.rulesOf(provider, 'BatchPayments') : []), ...(format?.specification.rules ?? [])];
  }

  /** Returns the errors of a batch, each with the id of the payment or batch that it is about. */
  async function errorsOf(batch: KeptBatch): Promise<BatchError[]> {
    const { batchId, request, payments } = batch;
    const provider = await providerOf(batch);
    const fileFormat = request.fileFormatId === undefined ? undefined : catalogue.fileFormatById(request.fileFormatId);
    const violations = catalogue.batchViolations(provider, fileFormat, request);
    return [...violations, ...(await unknownParties(batch, provider))].map((error) => ({
      ...error,
      resourceId: (error.index === undefined ? undefined : payments[error.index]?.paymentId) ?? batchId,
    }));
  }

  const withStatus = (batch: KeptBatch, status: string): KeptBatch => ({
    ...batch,
    status,
    payments: batch.payments.map((payment) => ({ ...payment, status })),
  });

  /**
   * Returns the error of a payment that the fault lab fails: that of the rule with this id if the batch has it,
   * otherwise a closed account.
   */
  async function faultOf(batch: KeptBatch, ruleId: string): Promise<Fault> {
    const rule = (await rulesOf(batch)).find((each) => ruleId !== '' && each.ruleId === ruleId);
    const validation = rule && validationOf(rule);
    if (!validation) return closedAccount;
    const { jsonPath: target, errorMessage: message = '' } = validation;
    return { target, code: 'RegexFailure', message };
  }

  async function settled(batch: KeptBatch): Promise<KeptBatch> {
    const paymentCompletedDate = new Date(clock.now()).toISOString();
    const failing = batch.fault?.kind === 'failPayment' ? batch.fault : undefined;
    const payments = batch.payments.map((payment, index) =>
      index === failing?.index || isMagic('fails', batch.request.payments[index]?.creditor.name ?? '')
        ? { ...payment, status: 'Failed' }
        : { ...payment, status: 'Completed', paymentCompletedDate },
    );
    const meant = failing && (await faultOf(batch, failing.rule));
    const errors = payments.flatMap(({ paymentId, status }, index) => {
      if (status !== 'Failed') return [];
      const fault = meant && index === failing.index ? meant : closedAccount;
      return [{ ...fault, index, resourceId: paymentId }];
    });
    const failed = errors.length;
    const status = failed === 0 ? 'Completed' : failed === payments.length ? 'Failed' : 'PartiallyCompleted';
    return { ...batch, payments, status, errors };
  }

  const askConsent = ({ batchId, request }: KeptBatch) =>
    consents.ask(batchId, { kind: 'batch', batchId }, `a batch of ${counted(request.payments.length, 'payment')}`);

  const goesOn = ({ status, fault }: KeptBatch): boolean =>
    status === 'Processing' || (status === 'Completed' && fault?.kind === 'returned');

  /** Returns the batch after its next step; undefined if its status does not change by itself. */
  async function advanced(batch: KeptBatch): Promise<KeptBatch | undefined> {
    const { fault } = batch;
    if (batch.status === 'Processing') return settled(batch);
    if (batch.status === 'Completed' && fault?.kind === 'returned') return withStatus(batch, 'Returned');
    if (batch.status !== 'Received') return undefined;
    const errors = await errorsOf(batch);
    if (errors.length > 0) return { ...withStatus(batch, 'Rejected'), errors };
    if (batch.request.fileFormatId !== undefined) return withStatus(batch, 'PaymentFileAvailable');
    const isApproved = fault?.kind !== 'needsApproval' && !namesIn(batch).some((name) => isMagic('approval', name));
    return withStatus(batch, isApproved ? 'Processing' : 'AwaitingAuthorisation');
  }

  /** Stores the batch in its next state and notifies the consumer, within the transaction in which it was read. */
  async function enter(batch: KeptBatch): Promise<void> {
    await storage.save('batch', batch.batchId, batch);
    await webhooks.batchUpdated(batch);
    if (batch.status !== 'AwaitingAuthorisation') return;
    await askConsent(batch);
    await consents.decideAlone(batch.batchId, 'batch', namesIn(batch));
  }

  schedule.on('batch', async ({ batchId }) => {
    const batch = await find(batchId);
    const next = batch?.fault?.kind === 'hold' ? undefined : batch && (await advanced(batch));
    if (!next) return undefined;
    await enter(next);
    return goesOn(next) ? config.stepDelay : undefined;
  });

  consents.on('batch', async ({ batchId }, status) => {
    const batch = await find(batchId);
    if (!batch) return;
    const isOpen = batch.status === (status === 'Revoked' ? 'Processing' : 'AwaitingAuthorisation');
    const decided = { Authorised: 'Processing', Rejected: 'Rejected' }[status as string] ?? 'Cancelled';
    const next = isOpen ? withStatus(batch, decided) : batch;
    await enter(next);
    if (isOpen && next.status === 'Processing') await schedule.add('batch', { batchId }, config.stepDelay);
  });

  return {
    find,
    /** Returns the status that follows by itself, or by `step`; undefined if none does. */
    nextStatus: async (batch: KeptBatch): Promise<string | undefined> => (await advanced(batch))?.status,
    /**
     * Moves a batch to its next state, within the transaction in which it was read. Rejects with a 409 problem if no
     * state follows by itself: the batch has ended, or awaits its user.
     */
    async step(batch: KeptBatch): Promise<KeptBatch> {
      const next = await advanced(batch);
      if (!next) throw new Problem(409, `Batch ${batch.batchId} is ${batch.status}: no state follows automatically`);
      await enter(next);
      return next;
    },
    /**
     * Returns the links to authorise a batch, with a new expiry each time; empty unless the batch awaits authorisation.
     */
    async authoriseLinks({ batchId, status }: KeptBatch) {
      if (status !== 'AwaitingAuthorisation') return {};
      return transaction(async () => {
        const batch = await find(batchId);
        return batch?.status === 'AwaitingAuthorisation' ? askConsent(batch) : {};
      });
    },
    async receive(received: KeptBatch): Promise<void> {
      const rule = await faults.take('batch', received.request.fileFormatId === undefined ? 'electronic' : 'file');
      const meant = rule
        ? { fault: rule.fault, mark: markOf(rule) }
        : namedFault('batch', namesIn(received), ['returns', 'holds', 'link-dead']);
      const batch = { ...received, ...meant };
      await storage.save('batch', batch.batchId, batch);
      await schedule.add('batch', { batchId: batch.batchId }, config.stepDelay);
    },
  };
}

export type BatchLife = ReturnType<typeof createBatchLife>;
