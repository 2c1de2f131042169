import type {
  LabBatch,
  LabClock,
  LabStanding,
  ResentWebhook,
  SentWebhook,
  SignatureChecked,
  SignatureExplained,
} from '#contract/labCalls.ts';
import { labNews } from '#contract/lab.ts';
import type { KeptRule } from '#contract/labShapes.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { Failure } from '#server/failure.ts';
import type { LabRequest } from '#server/upstream/lab.ts';
import { segment } from '#server/upstream/wire.ts';
import { storedSettingsOf } from '#server/companies/settings.ts';
import type { Handlers } from './handlers.ts';

/** Maximum number of batches listed. */
const mostBatches = 20;

const nothing = { data: null };

/** Calls the lab, and tells the pages of a change to a separate sandbox, which does not report changes itself. */
async function lab<T>({ config, store, upstream }: CompanyContext, ...request: LabRequest): Promise<T> {
  const answer = (await upstream.lab(...request)) as T; // as the sandbox documents it
  if (request[0] !== 'GET' && config.upstream.lab?.isApart) void store.announce(labNews);
  return answer;
}

/** Returns the path of a webhook. Throws `not-found` if it is not among the latest ones. */
async function ownWebhook(context: CompanyContext, webhookId: string): Promise<string> {
  const all = await lab<SentWebhook[]>(context, 'GET', '/webhooks');
  if (all.some((each) => each.webhookId === webhookId)) return `/webhooks/${segment(webhookId)}`;
  throw new Failure('not-found', `There is no webhook ${webhookId} among the latest ones.`);
}

/** Returns the company's batches, including those whose answers were lost. */
async function ownBatches(context: CompanyContext): Promise<LabBatch[]> {
  const [all, { companyId }] = await Promise.all([
    lab<LabBatch[]>(context, 'GET', '/batches'),
    storedSettingsOf(context.store),
  ]);
  return all.filter((batch) => companyId !== '' && batch.companyId === companyId);
}

/** Handlers for the fault lab of the workspace's sandbox. */
export const labHandlers = {
  async getLab(context) {
    const [rules, clock, receiver] = await Promise.all([
      lab<KeptRule[]>(context, 'GET', '/faults'),
      lab<LabClock>(context, 'GET', '/clock'),
      lab<LabStanding['receiver']>(context, 'GET', '/receiver'),
    ]);
    return { data: { rules, clock, receiver } };
  },
  async stopLab(context) {
    await lab(context, 'DELETE', '/faults');
    await lab(context, 'DELETE', '/clock');
    return nothing;
  },
  setFault: async (context, { body }) => ({ data: await lab<KeptRule>(context, 'POST', '/faults', body) }),
  async removeFault(context, { params: { ruleId } }) {
    await lab(context, 'DELETE', `/faults/${segment(ruleId)}`);
    return nothing;
  },
  async stopFaults(context) {
    await lab(context, 'DELETE', '/faults');
    return nothing;
  },
  changeClock: async (context, { body }) => ({ data: await lab<LabClock>(context, 'PATCH', '/clock', body) }),
  resetClock: async (context) => ({ data: await lab<LabClock>(context, 'DELETE', '/clock') }),
  async setReceiver(context, { body }) {
    await lab(context, 'PUT', '/receiver', body);
    return nothing;
  },
  async removeReceiver(context) {
    await lab(context, 'DELETE', '/receiver');
    return nothing;
  },
  getLabBatches: async (context) => ({ data: (await ownBatches(context)).slice(0, mostBatches) }),
  async stepBatch(context, { params: { batchId } }) {
    if (!(await ownBatches(context)).some((each) => each.batchId === batchId))
      throw new Failure('not-found', `The company has no batch ${batchId}.`);
    const path = `/batches/${segment(batchId)}/step`;
    return { data: await lab<Pick<LabBatch, 'batchId' | 'status'>>(context, 'POST', path) };
  },
  getLabWebhooks: async (context) => ({ data: await lab<SentWebhook[]>(context, 'GET', '/webhooks') }),
  async sendWebhooksAgain(context, { body }) {
    const sent = await lab<ResentWebhook[]>(context, 'POST', '/webhooks/again', body);
    return { data: { count: sent.length, to: sent[0]?.to ?? [] } };
  },
  async sendWebhookAgain(context, { params: { webhookId } }) {
    const { to } = await lab<ResentWebhook>(context, 'POST', `${await ownWebhook(context, webhookId)}/again`);
    return { data: { to } };
  },
  async explainSignature(context, { params: { webhookId } }) {
    return { data: await lab<SignatureExplained>(context, 'GET', `${await ownWebhook(context, webhookId)}/signature`) };
  },
  checkWebhook: async (context, { body }) => ({
    data: await lab<SignatureChecked>(context, 'POST', '/webhooks/check', body),
  }),
  async emptySandbox(context) {
    await lab(context, 'POST', '/reset', { token: context.config.upstream.lab?.token });
    return nothing;
  },
} satisfies Partial<Handlers>;
