import { maximumPayments } from '#contract/constants.ts';
import { dayFlaw, dayOf, daysAnywhere } from '#contract/executionDate.ts';
import type { BatchRequest } from '#contract/payment.ts';
import { stringify } from '#contract/json.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { header } from '#server/upstream/wire.ts';
import type { Clock } from '#server/clock.ts';
import type { Catalogue } from '../catalogue/types.ts';
import type { SandboxConfig } from '../config.ts';
import { Problem } from '../http/problem.ts';
import type { Handlers } from '../http/serviceRoutes.ts';
import { faultHeaders } from '../records/call.ts';
import { issuers } from '../onboarding/callers.ts';
import type { Tokens } from '../onboarding/tokens.ts';
import type { SubscriptionLifecycle } from '../subscription/lifecycle.ts';
import { requireUsable } from '../subscription/records.ts';
import { shownPayment } from './afterwards.ts';
import type { BatchLifecycle } from './batchLifecycle.ts';
import type { BatchRecord } from './records.ts';

const asText = <T extends { additionalData?: unknown }>({ additionalData: data, ...rest }: T) => ({
  ...rest,
  ...(data !== undefined && { additionalData: stringify(data) }),
});

interface Services {
  config: Pick<SandboxConfig, 'publicUrl' | 'fileLinkLife'>;
  catalogue: Pick<Catalogue, 'fileFormatById' | 'overflows' | 'providerById' | 'writePaymentFile'>;
  clock: Pick<Clock, 'now'>;
  tokens: Pick<Tokens, 'issue' | 'verify'>;
  newId: () => string;
  subscriptions: Pick<SubscriptionLifecycle, 'ofCompany'>;
  batches: Pick<BatchLifecycle, 'find' | 'receive' | 'authoriseLinks' | 'errorsIn'>;
}

/** Batches and their payment files (wire, sections 5.3 and 5.4). */
export function batchHandlers({ config, catalogue, clock, tokens, newId, subscriptions, batches }: Services) {
  const self = (batchId: string): string => `${config.publicUrl}${pathOf('batch', batchId)}`;

  /**
   * Throws a problem for a batch that refers to an unknown resource, has too many payments or totals that its file cannot
   * hold, or whose execution date is past or too far away by the sandbox's clock. Other rules are checked later; their
   * violations are reported when the batch is read (wire, section 12).
   */
  async function checkRouting(companyId: string, batch: BatchRequest): Promise<void> {
    const { subscriptionId, fileFormatId, payments, requestedExecutionDateTime } = batch;
    const refuse = (status: number, field: string, message: string) => {
      throw new Problem(status, `data.${field}: ${message}`, [{ path: `data.${field}`, message }]);
    };
    if (subscriptionId === undefined && fileFormatId === undefined)
      refuse(400, 'subscriptionId', 'either subscriptionId or fileFormatId is required');
    const wrongDay = dayFlaw(dayOf(requestedExecutionDateTime), daysAnywhere(clock.now()));
    if (wrongDay) refuse(400, 'requestedExecutionDateTime', wrongDay);
    const fileFormat = fileFormatId === undefined ? undefined : catalogue.fileFormatById(fileFormatId);
    if (fileFormatId !== undefined && !fileFormat) refuse(422, 'fileFormatId', 'unknown file format');
    const [overflow] = fileFormat ? catalogue.overflows(fileFormat, batch) : [];
    if (overflow) refuse(422, overflow.target, overflow.message);
    let most = maximumPayments;
    if (subscriptionId !== undefined) {
      const subscription = await subscriptions.ofCompany(companyId, subscriptionId);
      requireUsable(subscription);
      if (fileFormatId === undefined)
        most = catalogue.providerById(subscription.providerId)?.maximumPaymentCount ?? maximumPayments;
    }
    if (payments.length > most) refuse(422, 'payments', `at most ${most} payments in one batch`);
  }

  /** Returns the link to a batch's payment file, with a new expiry each time; empty unless the file is available. */
  async function fileLink({ batchId, status, fault }: BatchRecord): Promise<{ paymentFile?: string }> {
    if (status !== 'PaymentFileAvailable') return {};
    const token = await tokens.issue(
      issuers.files,
      { batchId },
      fault?.kind === 'fileLinkDead' ? -config.fileLinkLife : config.fileLinkLife,
    );
    return { paymentFile: `${config.publicUrl}${pathOf('paymentFile', batchId)}?token=${token}` };
  }

  return {
    async createBatch({ ctx, body: { data: request }, caller: { companyId } }) {
      await checkRouting(companyId, request);
      const batch: BatchRecord = {
        batchId: newId(),
        companyId,
        idempotencyKey: ctx.get(header.idempotency),
        language: ctx.get(header.language),
        request,
        status: 'Received',
        payments: request.payments.map(() => ({ paymentId: newId(), status: 'Received' })),
        errors: [],
        createdAt: clock.now(),
      };
      await batches.receive(batch);
      const { batchId, status } = batch;
      return { data: { batchId, externalId: request.externalId, status }, links: { self: self(batchId) } };
    },

    async batch({ ctx, caller: { companyId }, id }) {
      const batchId = id('batchId');
      const batch = await batches.find(batchId);
      if (batch?.companyId !== companyId) throw new Problem(404, `The company has no batch ${batchId}`);
      const { request, status, payments, injected } = batch;
      const errors = await batches.errorsIn(batch, ctx.get(header.language));
      if (injected) ctx.set(faultHeaders(injected));
      return {
        data: {
          ...asText(request),
          batchId,
          status,
          payments: request.payments.map((payment, index) => ({
            ...asText(payment),
            ...(payments[index] && shownPayment(payment, payments[index])),
          })),
        },
        links: { self: self(batchId), ...(await fileLink(batch)), ...(await batches.authoriseLinks(batch)) },
        ...(errors.length > 0 && { error: { detail: errors } }),
      };
    },

    /** The link contains its own authorisation; 410 after its expiry (wire, sections 2.1 and 13). */
    async paymentFile({ query: { token }, id }) {
      const { batchId = '' } = await tokens.verify(issuers.files, token, 410);
      const batch = await batches.find(batchId);
      const fileFormat = catalogue.fileFormatById(batch?.request.fileFormatId ?? '');
      if (!batch || !fileFormat || batchId !== id('batchId')) throw new Problem(404, 'There is no such payment file');
      return catalogue.writePaymentFile(fileFormat, batch.request, new Date(batch.createdAt));
    },
  } satisfies Partial<Handlers>;
}
