import type { BatchError } from '#contract/batch.ts';
import { dayOf } from '#contract/executionDate.ts';
import type { Provider, Rule } from '#contract/lookup.ts';
import { currenciesOf, schemesOf } from '#rules/batchNotes.ts';
import { counted } from '#rules/counted.ts';
import { validationOf } from '#rules/field.ts';
import { instrumentOf } from '#rules/merge.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { processingDayAfter, weekdaysOnly, type Scheme } from '#rules/bankingDays.ts';
import { iso } from '#server/clock.ts';
import { providerFor } from '../catalogue/language.ts';
import type { Catalogue } from '../catalogue/types.ts';
import type { SandboxConfig } from '../config.ts';
import type { Consents } from '../consent/lifecycle.ts';
import { Problem } from '../http/problem.ts';
import { catalogueForCompany } from '../faults/definitionFaults.ts';
import type { MovableClock } from '../clock.ts';
import type { Faults } from '../faults/faults.ts';
import { isMagic, namedFault } from '../faults/magicValues.ts';
import { companyRecords } from '../onboarding/records.ts';
import { partyRecords } from '../subscription/records.ts';
import type { Jobs } from '../store/jobs.ts';
import type { TenantStore } from '../store/tenantStore.ts';
import { subscriptionRecords } from '../subscription/records.ts';
import type { Webhooks } from '../webhooks/sender.ts';
import { heldCourse, newsOf, nextDay, settledPayment, statusByPayments, wordsOfPayments } from './afterwards.ts';
import { timeUntilExecution } from './executionTime.ts';
import { batchRecords, type BatchRecord } from './records.ts';

/** The errors of payments that fail at the bank. */
const unexplained = { target: 'payments', code: 'InformationMissing', message: 'The payment was not explained' };
const closedAccount = { target: 'creditorAccount', code: 'AccountClosed', message: 'Account closed' };

/** Maximum time (ms) after which a batch is looked at again; the delay of a timer is limited. */
const longestWait = 24 * 60 * 60_000;

type PaymentError = Pick<BatchError, 'target' | 'message' | 'code' | 'index'>;

interface Deps {
  config: Pick<SandboxConfig, 'publicUrl' | 'stepDelay'>;
  catalogue: Catalogue;
  clock: Pick<MovableClock, 'now' | 'state'>;
  store: Pick<TenantStore, 'collection' | 'transaction'>;
  jobs: Pick<Jobs, 'define'>;
  faults: Pick<Faults, 'take'>;
  webhooks: Pick<Webhooks, 'send'>;
  consents: Pick<Consents, 'on' | 'ask' | 'decideByLab'>;
}

const namesIn = ({ request }: BatchRecord): string[] => request.payments.map(({ creditor: { name } }) => name);

/**
 * Takes batches from Received to an end state (wire, section 12), by themselves not before their execution date. The
 * spelling of the end states is a choice.
 */
export function createBatchLifecycle({ config, catalogue, clock, store, jobs, faults, webhooks, consents }: Deps) {
  const batches = batchRecords(store);
  const subscriptions = subscriptionRecords(store);
  const companies = companyRecords(store);
  const parties = { debtor: partyRecords(store, 'debtor'), creditor: partyRecords(store, 'creditor') };
  const { find } = batches;

  /** The provider that executes a batch; undefined for a bank file, which is created without it (wire, section 5.3). */
  async function providerOf(
    { companyId, request: { subscriptionId = '', fileFormatId } }: BatchRecord,
    language = '',
  ): Promise<Provider | undefined> {
    if (fileFormatId !== undefined) return undefined;
    const subscription = await subscriptions.find(subscriptionId);
    const { catalogue: own } = catalogueForCompany(catalogue, (await companies.find(companyId))?.name);
    return subscription && providerFor(own, subscription.providerId, language);
  }

  /** Returns an error for the debtor and for each creditor that has not been created (wire, section 7). */
  async function unknownParties({ request }: BatchRecord, provider: Provider | undefined): Promise<PaymentError[]> {
    const { subscriptionId, debtor, payments } = request;
    if (!provider?.accountType.capabilities?.includes('DebtorAccountRequired')) return [];
    const idOf = (id: string | undefined) => `${subscriptionId}/${id}`;
    const known = {
      debtor: await parties.debtor.existing([idOf(debtor?.debtorId)]),
      creditor: await parties.creditor.existing(payments.map(({ creditor }) => idOf(creditor.creditorId))),
    };
    const missing = (kind: 'debtor' | 'creditor', id: string | undefined): id is string =>
      id !== undefined && !known[kind].has(idOf(id));
    const unknown = (target: string, id: string) => ({
      target,
      message: `the provider does not know ${id}`,
      code: 'NotFound',
    });
    const ofDebtor = missing('debtor', debtor?.debtorId) ? [unknown('debtor.debtorId', debtor?.debtorId ?? '')] : [];
    const ofCreditors = payments.flatMap(({ creditor: { creditorId } }, index) =>
      missing('creditor', creditorId) ? [{ ...unknown('payments.creditor.creditorId', creditorId), index }] : [],
    );
    return [...ofDebtor, ...ofCreditors];
  }

  async function rulesOf(batch: BatchRecord, language: string | undefined): Promise<Rule[]> {
    const provider = await providerOf(batch, language);
    const format = catalogue.fileFormatById(batch.request.fileFormatId ?? '', language);
    return [...(provider ? catalogue.rulesOf(provider, 'BatchPayments') : []), ...(format?.specification.rules ?? [])];
  }

  /** Returns the errors of a batch, each with the id of the payment or batch that it is about. */
  async function errorsOf(batch: BatchRecord, language = batch.language): Promise<BatchError[]> {
    const { batchId, request, payments } = batch;
    const provider = await providerOf(batch, language);
    const fileFormat =
      request.fileFormatId === undefined ? undefined : catalogue.fileFormatById(request.fileFormatId, language);
    const violations = catalogue.batchViolations(provider, fileFormat, request);
    return [...violations, ...(await unknownParties(batch, provider))].map((error) => ({
      ...error,
      resourceId: (error.index === undefined ? undefined : payments[error.index]?.paymentId) ?? batchId,
    }));
  }

  const withStatus = (batch: BatchRecord, status: string): BatchRecord => ({
    ...batch,
    status,
    payments: batch.payments.map((payment) => ({ ...payment, status })),
  });

  /**
   * Returns the error of a payment that the fault lab fails: that of the rule with this id if the batch has it,
   * otherwise a closed account.
   */
  async function errorOf(batch: BatchRecord, ruleId: string, language = batch.language): Promise<PaymentError> {
    const rule = (await rulesOf(batch, language)).find((each) => ruleId !== '' && each.ruleId === ruleId);
    const validation = rule && validationOf(rule);
    if (!validation) return closedAccount;
    const { jsonPath: target, errorMessage: message = '' } = validation;
    return { target, code: 'RegexFailure', message };
  }

  /** Returns the schemes of a batch's payments, and the countries of its provider; no schemes while all days count. */
  async function calendarOf(batch: BatchRecord): Promise<{ schemes: Scheme[]; countries: readonly string[] }> {
    const provider = await providerOf(batch);
    const instrument = instrumentOf(provider, catalogue.localInstruments());
    const schemes = clock.state().everyDay ? [] : schemesOf(currenciesOf(batch.request.payments), instrument);
    return { schemes, countries: provider?.country ?? [] };
  }

  /** Returns the batch after its execution, or after the next day on which something becomes of its payments. */
  async function settled(batch: BatchRecord): Promise<BatchRecord> {
    const now = iso(clock.now());
    const { schemes } = await calendarOf(batch);
    const dayAfter = (days: number) =>
      processingDayAfter(clock.state().everyDay ? undefined : (schemes[0] ?? weekdaysOnly), dayOf(now), days);
    const failing = batch.fault?.kind === 'failPayment' ? batch.fault : undefined;
    const payments = batch.payments.map((_, index) => settledPayment(batch, index, now, dayAfter));
    const labError = failing && (await errorOf(batch, failing.rule));
    const errors = payments.flatMap(({ paymentId, status }, index) => {
      if (status !== 'Failed') return [];
      const error = heldCourse(batch, index) ? unexplained : index === failing?.index ? labError : closedAccount;
      return [{ ...(error ?? closedAccount), index, resourceId: paymentId }];
    });
    return { ...batch, payments, status: statusByPayments(payments), errors };
  }

  /** Returns the errors of a batch with the texts of rules in a language; '' is the one that the batch was sent with. */
  async function errorsIn(batch: BatchRecord, language: string): Promise<BatchError[]> {
    const { errors, fault } = batch;
    if (errors.length === 0 || language === '') return errors;
    const said = await errorsOf(batch, language);
    if (fault?.kind === 'failPayment')
      said.push({ ...(await errorOf(batch, fault.rule, language)), index: fault.index });
    const identity = ({ target, code, index, sourceId }: BatchError) => [target, code, index, sourceId].join();
    return errors.map((error) => ({
      ...error,
      message: said.find((other) => identity(other) === identity(error))?.message ?? error.message,
    }));
  }

  const askConsent = ({ batchId, companyId, request }: BatchRecord) =>
    consents.ask({
      consentId: batchId,
      companyId,
      task: { kind: 'batch', batchId },
      what: `a batch of ${counted(request.payments.length, 'payment')}`,
    });

  /** Returns the time (ms) until a batch may be executed, or until something becomes of its payments afterwards. */
  async function waitOf(batch: BatchRecord): Promise<number> {
    const day = nextDay(batch);
    if (day === undefined && batch.status !== 'Processing') return 0;
    const at = day === undefined ? batch.request.requestedExecutionDateTime : `${day}T00:00:00Z`;
    const now = clock.now();
    const { schemes, countries } = await calendarOf(batch);
    return Math.max(...[undefined, ...schemes].map((scheme) => timeUntilExecution(at, countries, now, scheme)));
  }

  const hasNextStep = (batch: BatchRecord): boolean => batch.status === 'Processing' || nextDay(batch) !== undefined;

  /** Returns the batch after its next step; undefined if its status does not change by itself. */
  async function advanced(batch: BatchRecord): Promise<BatchRecord | undefined> {
    const { fault } = batch;
    if (hasNextStep(batch)) return settled(batch);
    if (batch.status !== 'Received') return undefined;
    const errors = await errorsOf(batch);
    if (errors.length > 0) return { ...withStatus(batch, 'Rejected'), errors };
    if (batch.request.fileFormatId !== undefined) return withStatus(batch, 'PaymentFileAvailable');
    const isApproved = fault?.kind !== 'needsApproval' && !namesIn(batch).some((name) => isMagic('approval', name));
    return withStatus(batch, isApproved ? 'Processing' : 'AwaitingAuthorisation');
  }

  async function notify(batch: BatchRecord, before?: BatchRecord): Promise<void> {
    const { batchId, status, request, injected } = batch;
    const { subscriptionId } = request;
    const { webhooks: count, payments } = newsOf(batch, before);
    const url = `${config.publicUrl}${pathOf('batch', batchId)}`;
    const event = {
      type: 'batchUpdated',
      ...(subscriptionId && { subscriptionId }),
      resource: { id: batchId, type: 'BatchPayment', url },
      data: { status, ...(payments.length > 0 && { payments }) },
    };
    for (let sent = 0; sent < count; sent += 1) await webhooks.send(event, { injected });
  }

  /** Stores the batch in its next state and notifies the consumer, within the transaction in which it was read. */
  async function enter(batch: BatchRecord, before?: BatchRecord): Promise<void> {
    await batches.save(batch.batchId, batch);
    await notify(batch, before);
    if (batch.status !== 'AwaitingAuthorisation') return;
    await askConsent(batch);
    await consents.decideByLab(batch.batchId, 'batch', namesIn(batch));
  }

  const nextStep = jobs.define<{ batchId: string }>('batch', async ({ batchId }) => {
    const batch = await find(batchId);
    if (!batch || batch.fault?.kind === 'hold') return undefined;
    const wait = await waitOf(batch);
    if (wait > 0) return Math.min(wait, longestWait);
    const next = await advanced(batch);
    if (!next) return undefined;
    await enter(next, batch);
    return hasNextStep(next) ? config.stepDelay : undefined;
  });

  consents.on('batch', async ({ batchId }, status) => {
    const batch = await find(batchId);
    if (!batch) return;
    const isOpen = batch.status === (status === 'Revoked' ? 'Processing' : 'AwaitingAuthorisation');
    const decided = { Authorised: 'Processing', Rejected: 'Rejected' }[status as string] ?? 'Cancelled';
    const next = isOpen ? withStatus(batch, decided) : batch;
    await enter(next);
    if (isOpen && next.status === 'Processing') await nextStep.add({ batchId }, config.stepDelay);
  });

  return {
    find,
    errorsIn,
    /** Returns the latest batches, newest first. */
    latest: batches.latest,
    /** Returns the status that follows by itself, or by `step`; undefined if none does. */
    nextStatus: async (batch: BatchRecord): Promise<string | undefined> => (await advanced(batch))?.status,
    /**
     * Moves a batch to its next state, within the transaction in which it was read. Rejects with a 409 problem if no
     * state follows by itself: the batch has ended, or awaits its user.
     */
    async step(batch: BatchRecord): Promise<BatchRecord> {
      const next = await advanced(batch);
      if (!next) throw new Problem(409, `Batch ${batch.batchId} is ${batch.status}: no state follows automatically`);
      await enter(next, batch);
      return next;
    },
    /**
     * Returns the links to authorise a batch, with a new expiry each time; empty unless the batch awaits authorisation.
     */
    async authoriseLinks({ batchId, status }: BatchRecord) {
      if (status !== 'AwaitingAuthorisation') return {};
      return store.transaction(async () => {
        const batch = await find(batchId);
        return batch?.status === 'AwaitingAuthorisation' ? askConsent(batch) : {};
      });
    },
    async receive(received: BatchRecord): Promise<void> {
      const kind = received.request.fileFormatId === undefined ? 'electronic' : 'file';
      const names = namesIn(received);
      const active = await faults.take('batch', kind, names, ['holds', 'link-dead']);
      const marked = namedFault('batch', names, wordsOfPayments);
      const batch = { ...received, ...(marked && { injected: marked.injected }), ...active };
      await batches.save(batch.batchId, batch);
      await nextStep.add({ batchId: batch.batchId }, config.stepDelay);
    },
  };
}

export type BatchLifecycle = ReturnType<typeof createBatchLifecycle>;
