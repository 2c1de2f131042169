import type { Provider } from '#contract/lookup.ts';
import { parse as parseJson, stringify, type JsonObject } from '#contract/json.ts';
import { answerTypeOf } from '#contract/serviceCalls.ts';
import { nameOfParty } from '#rules/party.ts';
import { header, messageKinds, type MessageKind } from '#server/upstream/wire.ts';
import { providerFor } from '../catalogue/language.ts';
import type { Catalogue } from '../catalogue/types.ts';
import type { Consents } from '../consent/lifecycle.ts';
import { Problem, type FieldProblem } from '../http/problem.ts';
import type { Handlers, ServedCall } from '../http/serviceRoutes.ts';
import { catalogueForCompany } from '../faults/definitionFaults.ts';
import type { Faults } from '../faults/faults.ts';
import type { InjectedFault } from '../records/call.ts';
import { textsIn } from '../faults/magicValues.ts';
import type { Collections } from '../store/tenantStore.ts';
import type { SubscriptionLifecycle } from '../subscription/lifecycle.ts';
import { partyRecords, requireUsable, subscriptionErrors, type SubscriptionRecord } from '../subscription/records.ts';
import type { Webhooks } from '../webhooks/sender.ts';

/** A message's `data`. The message's schema ensures that it contains the ids that `reply` needs. */
type Data = Record<'subscriptionId' | 'debtorId' | 'creditorId', string> & JsonObject;

/** The resource and data of the webhook with the provider's answer. */
interface Reply {
  resource: { id: string; type: string };
  data: JsonObject;
  /** The lab's fault that changed the answer. */
  injected?: InjectedFault;
  /** The names in the message, which may be magic. */
  names?: readonly string[];
}

interface Message {
  /** The capability that the provider must have to accept the message (behaviour, section 6). */
  needs?: string;
  /** `refused`: reasons for which the provider refuses the message regardless of its rules; [] if there are none. */
  reply: (
    data: Data,
    subscription: SubscriptionRecord,
    provider: Provider,
    interactionId: string,
    refused: readonly FieldProblem[],
  ) => Promise<Reply>;
}

const debtors = {
  kind: 'debtor',
  idKey: 'debtorId',
  apiPath: 'DebtorAccounts',
  answersAs: 'debtoraccountputs',
  type: 'DebtorAccount',
} as const;
const creditors = {
  kind: 'creditor',
  idKey: 'creditorId',
  apiPath: 'Creditors',
  answersAs: 'creditorputs',
  type: 'Creditor',
} as const;
type Party = typeof debtors | typeof creditors;

const decisionData = (errors: readonly FieldProblem[]): JsonObject =>
  errors.length === 0
    ? { status: 'Accepted' }
    : { status: 'Rejected', errors: errors.map(({ path, message }) => ({ path, message })) };

interface Deps {
  catalogue: Catalogue;
  faults: Pick<Faults, 'take'>;
  newId: () => string;
  store: Collections;
  webhooks: Pick<Webhooks, 'send'>;
  subscriptions: Pick<SubscriptionLifecycle, 'ofCompany' | 'change'>;
  consents: Pick<Consents, 'on' | 'ask' | 'decideByLab'>;
}

/** The consumer messaging API (wire, section 6.1): answers 202 at once; a webhook delivers the provider's answer. */
export function messageHandlers({
  catalogue,
  faults,
  newId,
  store,
  webhooks,
  subscriptions,
  consents,
}: Deps): Pick<Handlers, MessageKind> {
  const parties = { debtor: partyRecords(store, 'debtor'), creditor: partyRecords(store, 'creditor') };

  const put =
    ({ kind, idKey, apiPath, answersAs, type }: Party): Message['reply'] =>
    async (data, { subscriptionId, companyId }, provider, interactionId) => {
      const id = data[idKey];
      const name = nameOfParty(data);
      const active = await faults.take('put', kind, [name]);
      const fault = active?.fault.kind;
      const errors = [
        ...catalogue.violations(catalogue.rulesOf(provider, apiPath), data),
        ...(fault === 'refuse' ? [{ path: idKey, message: `the fault lab refuses the ${kind}` }] : []),
      ];
      const resource = { id, type };
      const caused = { ...(active && { injected: active.injected }), names: [name] };
      if (errors.length === 0 && fault === 'authorise') {
        const answer = { type: answersAs, subscriptionId, interactionId, resource };
        const task = { kind: 'party', party: kind, answer, idKey, data } as const;
        const consentId = newId();
        const links = await consents.ask({ consentId, companyId, task, what: `the ${kind} ${name}` });
        await consents.decideByLab(consentId, kind, [name]);
        return { resource, data: { [idKey]: id, status: 'AwaitingAuthorisation', links }, ...caused };
      }
      if (errors.length === 0) await parties[kind].save(`${subscriptionId}/${id}`, data);
      return { resource, data: { [idKey]: id, ...decisionData(errors) }, ...caused };
    };

  consents.on('party', async ({ party, answer, idKey, data }, status, injected) => {
    const { id } = answer.resource;
    const place = `${answer.subscriptionId}/${id}`;
    if (status === 'Authorised') await parties[party].save(place, data);
    if (status === 'Revoked') await parties[party].remove(place);
    await webhooks.send(
      { ...answer, data: { [idKey]: id, status: status === 'Revoked' ? 'Cancelled' : status } },
      { injected },
    );
  });

  const list =
    ({ kind }: Party): Message['reply'] =>
    async (_, { subscriptionId }, _provider, _id, refused) => ({
      resource: { id: subscriptionId, type: 'Subscription' },
      data:
        refused.length > 0 ? decisionData(refused) : { [`${kind}s`]: await parties[kind].list(`${subscriptionId}/`) },
    });

  const remove =
    ({ kind, idKey, type }: Party): Message['reply'] =>
    async (data, { subscriptionId }, _provider, _id, refused) => {
      const id = data[idKey];
      const isGone = refused.length === 0 && (await parties[kind].remove(`${subscriptionId}/${id}`));
      const unknown = [{ path: idKey, message: `the subscription has no such ${kind}` }];
      const errors = isGone ? [] : refused.length > 0 ? refused : unknown;
      return { resource: { id, type }, data: { [idKey]: id, ...decisionData(errors) } };
    };

  /** Merges properties that the provider's rules name into the subscription's additionalData. */
  const update: Message['reply'] = async (data, subscription, provider, _, refused) => {
    const properties = data['properties'] as JsonObject; // by the message's schema
    const known = catalogue
      .rulesOf(provider, 'Subscriptions')
      .map(({ validation }) => validation?.jsonPath.split('.')[1]);
    const unknown = Object.keys(properties)
      .filter((name) => !known.includes(name))
      .map((name) => ({ path: `properties.${name}`, message: 'the provider has no such property' }));
    const additionalData = { ...(parseJson(subscription.additionalData) as JsonObject), ...properties }; // an object
    const errors = [refused, unknown, subscriptionErrors(catalogue, provider, additionalData)].find(({ length }) => length > 0) ?? []; // prettier-ignore
    if (errors.length === 0) await subscriptions.change({ ...subscription, additionalData: stringify(additionalData) });
    const { subscriptionId } = subscription;
    return {
      resource: { id: subscriptionId, type: 'Subscription' },
      data: { id: subscriptionId, ...decisionData(errors) },
    };
  };

  const messages: Record<MessageKind, Message> = {
    updates: { reply: update },
    debtoraccountputs: { needs: 'DebtorAccountRequired', reply: put(debtors) },
    debtoraccountlistqueries: { needs: 'DebtorQueries', reply: list(debtors) },
    debtoraccountdeletes: { needs: 'DebtorAccountRequired', reply: remove(debtors) },
    creditorputs: { needs: 'DebtorAccountRequired', reply: put(creditors) },
    creditorlistqueries: { needs: 'CreditorQueries', reply: list(creditors) },
    creditordeletes: { needs: 'DebtorAccountRequired', reply: remove(creditors) },
  };

  /** Returns the lab's fault by which the provider refuses a message regardless of its rules. */
  async function labRefusal(
    kind: MessageKind,
    { additionalData }: SubscriptionRecord,
  ): Promise<InjectedFault | undefined> {
    if (kind === 'debtoraccountputs' || kind === 'creditorputs') return undefined; // puts have faults of their own
    return (await faults.take('message', kind, textsIn(parseJson(additionalData))))?.injected;
  }

  const handler = (kind: MessageKind) => async (call: ServedCall<MessageKind>) => {
    const { ctx, caller: company } = call;
    const data = call.body.data as Data; // by the message's schema
    const { needs, reply } = messages[kind];
    const interactionId = ctx.get(header.interaction);
    const subscription = await subscriptions.ofCompany(company.companyId, data.subscriptionId);
    const { catalogue: own } = catalogueForCompany(catalogue, company.name);
    const provider = providerFor(own, subscription.providerId, ctx.get(header.language));
    if (!provider) throw new Problem(422, `The provider of subscription ${subscription.subscriptionId} is gone`);
    if (needs && !provider.accountType.capabilities?.includes(needs))
      throw new Problem(422, `The provider does not take ${kind}: it lacks the capability ${needs}`);
    if (kind !== 'updates') requireUsable(subscription);
    const { subscriptionId } = subscription;
    const refusal = await labRefusal(kind, subscription);
    const refused = refusal ? [{ path: 'data', message: 'the fault lab refuses the message' }] : [];
    const { injected, names, ...answer } = await reply(data, subscription, provider, interactionId, refused);
    await webhooks.send(
      { type: answerTypeOf(kind), subscriptionId, interactionId, ...answer },
      { injected: refusal ?? injected, names },
    );
  };

  return Object.fromEntries(messageKinds.map((kind) => [kind, handler(kind)])) as Pick<Handlers, MessageKind>; // from exactly these kinds
}
