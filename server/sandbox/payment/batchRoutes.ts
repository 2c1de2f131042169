import Router from '@koa/router';
import { z } from 'zod';
import { maximumPayments } from '#contract/constants.ts';
import { dayFlaw, dayOf, daysAnywhere } from '#contract/executionDate.ts';
import { batchRequestSchema, type BatchRequest } from '#contract/payment.ts';
import { stringify } from '#contract/json.ts';
import { endpoints, header, keyTtl } from '#server/upstream/wire.ts';
import type { Clock } from '#server/clock.ts';
import type { Catalogue } from '../catalogue/types.ts';
import type { SandboxConfig } from '../config.ts';
import { jsonText } from '../http/body.ts';
import { parse, Problem } from '../http/problem.ts';
import { faultHeaders } from '../records/call.ts';
import { issuers, type Callers } from '../onboarding/callers.ts';
import type { Tokens } from '../onboarding/tokens.ts';
import type { Idempotency } from '../store/idempotency.ts';
import type { SubscriptionLifecycle } from '../subscription/lifecycle.ts';
import { requireUsable } from '../subscription/records.ts';
import type { BatchLifecycle } from './batchLifecycle.ts';
import type { BatchRecord } from './records.ts';

/** A text that contains JSON, as in subscriptions (wire, section 5.3). */
const additionalData = jsonText.optional();
const batchBody = z.object({
  data: batchRequestSchema.extend({
    additionalData,
    payments: z.array(batchRequestSchema.shape.payments.element.extend({ additionalData })).min(1),
  }),
});
const asText = <T extends { additionalData?: unknown }>({ additionalData: data, ...rest }: T) => ({
  ...rest,
  ...(data !== undefined && { additionalData: stringify(data) }),
});
const fileQuery = z.object({ token: z.string('the token of the link that a batch was read with') });
const filePath = '/files';

interface Deps {
  config: Pick<SandboxConfig, 'publicUrl' | 'fileLinkLife'>;
  catalogue: Pick<Catalogue, 'fileFormatById' | 'overflows' | 'providerById' | 'writePaymentFile'>;
  clock: Pick<Clock, 'now'>;
  callers: Pick<Callers, 'company'>;
  tokens: Pick<Tokens, 'issue' | 'verify'>;
  idempotency: Idempotency;
  newId: () => string;
  subscriptions: Pick<SubscriptionLifecycle, 'ofCompany'>;
  lifecycle: Pick<BatchLifecycle, 'find' | 'receive' | 'authoriseLinks' | 'errorsIn'>;
}

/** Routes for batches and their payment files (wire, sections 5.3 and 5.4). */
export function batchRoutes({
  config,
  catalogue,
  clock,
  callers,
  tokens,
  idempotency,
  newId,
  subscriptions,
  lifecycle,
}: Deps): Router {
  const router = new Router();

  const self = (batchId: string): string => `${config.publicUrl}${endpoints.batches}/${batchId}`;

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

  router.post(endpoints.batches, async (ctx) => {
    const { companyId } = await callers.company(ctx);
    const request = parse(ctx, batchBody, ctx.request.body).data;
    const create = async () => {
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
      await lifecycle.receive(batch);
      const { batchId, status } = batch;
      return {
        status: 201,
        body: { data: { batchId, externalId: request.externalId, status }, links: { self: self(batchId) } },
      };
    };
    await idempotency(ctx, companyId, create, request.fileFormatId === undefined ? keyTtl.usual : keyTtl.fileBatch);
  });

  /** Returns the link to a batch's payment file, with a new expiry each time; empty unless the file is available. */
  async function fileLink({ batchId, status, fault }: BatchRecord): Promise<{ paymentFile?: string }> {
    if (status !== 'PaymentFileAvailable') return {};
    const token = await tokens.issue(
      issuers.files,
      { batchId },
      fault?.kind === 'fileLinkDead' ? -config.fileLinkLife : config.fileLinkLife,
    );
    return { paymentFile: `${config.publicUrl}${filePath}/${batchId}?token=${token}` };
  }

  router.get(`${endpoints.batches}/:batchId`, async (ctx) => {
    const { companyId } = await callers.company(ctx);
    const { batchId = '' } = ctx.params;
    const batch = await lifecycle.find(batchId);
    if (batch?.companyId !== companyId) throw new Problem(404, `The company has no batch ${batchId}`);
    const { request, status, payments, injected } = batch;
    const errors = await lifecycle.errorsIn(batch, ctx.get(header.language));
    if (injected) ctx.set(faultHeaders(injected));
    ctx.body = {
      data: {
        ...asText(request),
        batchId,
        status,
        payments: request.payments.map((payment, index) => ({ ...asText(payment), ...payments[index] })),
      },
      links: { self: self(batchId), ...(await fileLink(batch)), ...(await lifecycle.authoriseLinks(batch)) },
      ...(errors.length > 0 && { error: { detail: errors } }),
    };
  });

  /** The link contains its own authorisation; 410 after its expiry (wire, sections 2.1 and 13). */
  router.get(`${filePath}/:batchId`, async (ctx) => {
    const { batchId = '' } = await tokens.verify(issuers.files, parse(ctx, fileQuery, ctx.query).token, 410);
    const batch = await lifecycle.find(batchId);
    const fileFormat = catalogue.fileFormatById(batch?.request.fileFormatId ?? '');
    if (!batch || !fileFormat || batchId !== ctx.params['batchId'])
      throw new Problem(404, 'There is no such payment file');
    ctx.type = 'text/plain';
    ctx.body = catalogue.writePaymentFile(fileFormat, batch.request, new Date(batch.createdAt));
  });

  return router;
}
