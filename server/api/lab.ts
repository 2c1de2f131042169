import type { CallName } from '#contract/calls.ts';
import type { LabBatch, SentWebhook } from '#contract/lab.ts';
import { labNews } from '#contract/constants.ts';
import type { KeptRule } from '#contract/controlShapes.ts';
import { controlCalls, type ControlAnswer, type ControlCallName } from '#contract/controlCalls.ts';
import { requests } from '#contract/requests/requests.ts';
import { idsIn, serviceCall } from '#contract/serviceCalls.ts';
import type { Answer } from '#contract/shapes.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { companyIn, organisationIn } from '#server/companies/settings.ts';
import { userJwtOf } from '#server/companies/userLogins.ts';
import { Failure } from '#server/failure.ts';
import type { ControlRequest } from '#server/upstream/sandboxControl.ts';
import { segment } from '#server/upstream/wire.ts';
import { endCompanies } from '#server/situations/companies.ts';
import { sandboxLock } from '#server/situations/sandboxLock.ts';
import { receivedWebhooks } from '#server/webhooks/receive.ts';
import type { Handler, Handlers, Input } from './handlers.ts';

/** Maximum number of batches listed. */
const mostBatches = 20;

const nothing = { data: null };

/** Makes a request of the lab, and tells the pages of a change to a separate sandbox, which does not report it itself. */
async function ask({ config, store, upstream }: CompanyContext, ...request: ControlRequest) {
  const answer = await upstream.lab(...request);
  if (request[0] !== 'GET' && config.upstream.lab?.isApart) void store.announce(labNews);
  return answer;
}

/** Makes a call of the lab's table; `id` is the id in its path. */
async function lab<N extends ControlCallName>(
  context: CompanyContext,
  name: N,
  { id = '', body }: { id?: string; body?: unknown } = {},
): Promise<ControlAnswer<N>> {
  const { method, path } = controlCalls[name];
  const answer = await ask(
    context,
    method.toUpperCase() as ControlRequest[0],
    path.replace(/\{\w+\}/, () => segment(id)),
    body,
  );
  return answer as ControlAnswer<N>; // as the sandbox declares it
}

/** The calls that the lab answers as the console does, by the names of its table. */
const passed = {
  setFault: 'addRule',
  removeFault: 'removeRule',
  stopFaults: 'stopAll',
  changeClock: 'moveClock',
  resetClock: 'resetClock',
  sendWebhookAgain: 'sendAgain',
  explainSignature: 'explainSignature',
  checkWebhook: 'checkWebhook',
} as const satisfies Partial<Record<CallName, ControlCallName>>;

type Passed = keyof typeof passed;

const passOn =
  <C extends Passed>(name: C): Handler<C> =>
  async (context, { params, body }: Input<C>) => {
    const [id = ''] = Object.values<string>(params ?? {}); // a call has one id at most
    return { data: await lab(context, passed[name], { id, body }) } as Answer<C>; // checked by the shape of the call
  };

/** Returns the company's batches, including those whose answers were lost. */
async function ownBatches(context: CompanyContext): Promise<LabBatch[]> {
  const { companyId } = context.settings;
  const all = await lab(context, 'listBatches');
  return all.filter((batch) => companyId !== '' && batch.companyId === companyId);
}

/** The rules that the lab still has, those included whose faults have happened. */
export const labRules = async (context: CompanyContext): Promise<KeptRule[]> =>
  (await lab(context, 'listRules')) as KeptRule[]; // the sandbox has validated them

/** Handlers for the fault lab of the workspace's sandbox. */
export const labHandlers = {
  ...(Object.fromEntries((Object.keys(passed) as Passed[]).map((name) => [name, passOn(name)])) as {
    // its own keys
    [C in Passed]: Handler<C>;
  }),
  async getLab(context) {
    const [rules, clock, receiver] = await Promise.all([
      labRules(context),
      lab(context, 'readClock'),
      lab(context, 'readReceiver'),
    ]);
    return { data: { rules, clock, receiver } };
  },
  async stopLab(context) {
    await lab(context, 'stopAll');
    await lab(context, 'resetClock');
    return nothing;
  },
  async setReceiver(context, { body }) {
    await lab(context, 'setReceiver', { body });
    return nothing;
  },
  async removeReceiver(context) {
    await lab(context, 'removeReceiver');
    return nothing;
  },
  getLabBatches: async (context) => ({ data: (await ownBatches(context)).slice(0, mostBatches) }),
  async stepBatch(context, { params: { batchId } }) {
    if (!(await ownBatches(context)).some((each) => each.batchId === batchId))
      throw new Failure('not-found', `The company has no batch ${batchId}.`);
    return { data: await lab(context, 'stepBatch', { id: batchId }) };
  },
  async getLabWebhooks(context) {
    const received = context.store.records(receivedWebhooks);
    const sent = await lab(context, 'listWebhooks');
    const lateOf = async ({ webhookId }: SentWebhook) =>
      (await received.get(webhookId))?.late ? { late: true as const } : {};
    return { data: await Promise.all(sent.map(async (webhook) => ({ ...webhook, ...(await lateOf(webhook)) }))) };
  },
  async sendWebhooksAgain(context, { body }) {
    const sent = await lab(context, 'sendAllAgain', { body });
    return { data: { count: sent.length, to: sent[0]?.to ?? [] } };
  },
  async sendExample(context, { params: { operation }, body: { method, ...said } }) {
    const { settings, upstream } = context;
    if (!serviceCall(operation).methods.includes(method) || serviceCall(operation).proof === 'link')
      throw new Failure('invalid-request', `No example of ${operation} can be sent by ${method}.`);
    const names = idsIn(operation);
    if (said.ids.length !== names.length) {
      const message = `give ${names.length > 0 ? `${names.length}, for ${names.join(', ')}` : 'none'}, in place of ${said.ids.length}`;
      throw new Failure('invalid-request', `The body is not valid. ids: ${message}`, {
        errors: [{ path: 'ids', message }],
      });
    }
    const owner = {
      organisation: () => organisationIn(settings),
      company: () => companyIn(settings),
      userJwt: () => userJwtOf(context),
    };
    const request =
      operation === 'accessToken' && method !== 'PATCH'
        ? requests.accessToken(owner.organisation().organisationId, settings.companyId, method)
        : requests.example(operation, method, { ...said, ids: said.ids.map(segment) });
    const { interactionId, status } = await upstream.example(owner, request);
    return { data: { interactionId, status } };
  },
  emptySandbox: (context, { switchCompany }) =>
    context.store.withLock(sandboxLock, async () => {
      await ask(context, 'POST', '/reset', { token: context.config.upstream.lab?.token });
      await endCompanies(context);
      switchCompany(await context.store.companies.current());
      return nothing;
    }),
} satisfies Partial<Handlers>;
