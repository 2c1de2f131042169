import type {
  LabBatch,
  LabClock,
  LabStanding,
  ResentWebhook,
  SentWebhook,
  SignatureChecked,
  SignatureExplained,
} from '#contract/labCalls.ts';
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

/**
 * Handlers for the fault lab of the workspace's sandbox. Calls `onLabChange` after each change to a separate sandbox, which
 * does not report changes itself.
 */
export function labRoutes({ config, store, upstream }: CompanyContext, onLabChange: () => void) {
  async function lab<T>(...request: LabRequest): Promise<T> {
    const answer = (await upstream.lab(...request)) as T; // as the sandbox documents it
    if (request[0] !== 'GET' && config.upstream.lab?.isApart) onLabChange();
    return answer;
  }

  /** Returns the path of a webhook. Throws `not-found` if it is not among the latest ones. */
  async function ownWebhook(webhookId: string): Promise<string> {
    const all = await lab<SentWebhook[]>('GET', '/webhooks');
    if (all.some((each) => each.webhookId === webhookId)) return `/webhooks/${segment(webhookId)}`;
    throw new Failure('not-found', `There is no webhook ${webhookId} among the latest ones.`);
  }

  /** Returns the company's batches, including those whose answers were lost. */
  async function ownBatches(): Promise<LabBatch[]> {
    const [all, { companyId }] = await Promise.all([lab<LabBatch[]>('GET', '/batches'), storedSettingsOf(store)]);
    return all.filter((batch) => companyId !== '' && batch.companyId === companyId);
  }

  return {
    async getLab() {
      const [rules, clock, receiver] = await Promise.all([
        lab<KeptRule[]>('GET', '/faults'),
        lab<LabClock>('GET', '/clock'),
        lab<LabStanding['receiver']>('GET', '/receiver'),
      ]);
      return { data: { rules, clock, receiver } };
    },
    async stopLab() {
      await lab('DELETE', '/faults');
      await lab('DELETE', '/clock');
      return nothing;
    },
    setFault: async ({ body }) => ({ data: await lab<KeptRule>('POST', '/faults', body) }),
    async removeFault({ params: { ruleId } }) {
      await lab('DELETE', `/faults/${segment(ruleId)}`);
      return nothing;
    },
    async stopFaults() {
      await lab('DELETE', '/faults');
      return nothing;
    },
    changeClock: async ({ body }) => ({ data: await lab<LabClock>('PATCH', '/clock', body) }),
    resetClock: async () => ({ data: await lab<LabClock>('DELETE', '/clock') }),
    async setReceiver({ body }) {
      await lab('PUT', '/receiver', body);
      return nothing;
    },
    async removeReceiver() {
      await lab('DELETE', '/receiver');
      return nothing;
    },
    getLabBatches: async () => ({ data: (await ownBatches()).slice(0, mostBatches) }),
    async stepBatch({ params: { batchId } }) {
      if (!(await ownBatches()).some((each) => each.batchId === batchId))
        throw new Failure('not-found', `The company has no batch ${batchId}.`);
      const path = `/batches/${segment(batchId)}/step`;
      return { data: await lab<Pick<LabBatch, 'batchId' | 'status'>>('POST', path) };
    },
    getLabWebhooks: async () => ({ data: await lab<SentWebhook[]>('GET', '/webhooks') }),
    async sendWebhooksAgain({ body }) {
      const sent = await lab<ResentWebhook[]>('POST', '/webhooks/again', body);
      return { data: { count: sent.length, to: sent[0]?.to ?? [] } };
    },
    async sendWebhookAgain({ params: { webhookId } }) {
      const { to } = await lab<ResentWebhook>('POST', `${await ownWebhook(webhookId)}/again`);
      return { data: { to } };
    },
    async explainSignature({ params: { webhookId } }) {
      return { data: await lab<SignatureExplained>('GET', `${await ownWebhook(webhookId)}/signature`) };
    },
    checkWebhook: async ({ body }) => ({ data: await lab<SignatureChecked>('POST', '/webhooks/check', body) }),
    async emptySandbox() {
      await lab('POST', '/reset', { token: config.upstream.lab?.token });
      return nothing;
    },
  } satisfies Partial<Handlers>;
}
