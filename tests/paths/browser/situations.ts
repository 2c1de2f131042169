import type { SubscriptionRecord } from '#contract/subscription.ts';
import { bankWithoutSubscriptions, foreignName, single, singleWithoutSubscriptions } from './service.ts';
import type { World } from './world.ts';

/**
 * Brings console and service into the situation in which a port gives the answer that the models call by this name.
 * `ahead` are the names of the path's further steps: what the service will do later may have to begin now.
 */
type Situation = (world: World, ahead: readonly string[]) => unknown;

const asItIs: Situation = () => undefined;
const at =
  (stage: Parameters<World['at']>[0]): Situation =>
  (world) =>
    world.at(stage);

const setting =
  (
    stage: Parameters<World['at']>[0],
    key: 'providerCountry' | 'fileFormatCountry' | 'acceptLanguage' | 'subscriptionId',
    value: string,
  ): Situation =>
  async ({ at: become, api }) => {
    await become(stage);
    await api.done('setSetting', { body: { key, value } });
  };

/** The language of definitions that no other situation reads: the console keeps what it has read for a minute. */
const unread = 'en-CA';

/** The providers of a country, or of all countries if it is '', are read under a rule of the lab. */
const under =
  (rule: object, providerCountry: string): Situation =>
  async (world) => {
    await world.lab.set(rule);
    await setting('company', 'acceptLanguage', unread)(world, []);
    await world.api.done('setSetting', { body: { key: 'providerCountry', value: providerCountry } });
  };

/** No provider and no bank file template speaks it. */
const unspoken = 'fr-FR';

const providerNamed =
  (name: string): Situation =>
  async ({ api, subscribedTo }) => {
    const { data } = await api.done('getProviders');
    await subscribedTo(data.find((provider) => provider.name === name)?.providerId ?? '');
  };

const approved: Situation = async ({ api, settle }) => {
  const { subscriptions } = await api.done('getSettings'); // the current one may be none of them
  const { subscriptionId } = (JSON.parse(subscriptions) as SubscriptionRecord[]).at(-1)!; // the situation made it
  const { data } = await api.done('getSubscription', { params: { subscriptionId } });
  const { authorise } = data.links ?? {};
  if (authorise !== undefined)
    await fetch(authorise, { method: 'POST', body: new URLSearchParams({ decision: 'approve' }) });
  await settle();
};

const settled: Situation = ({ settle }) => settle();

/** A usable subscription; the provider has parties to list only where the path is about to list them. */
const usable: Situation = ({ at: become }, ahead) =>
  become(ahead.includes('askOutcome gives an empty list') ? 'authorisation' : 'creditor');

/** Has the provider refuse what the path is going to see refused. */
const deciding: Situation = ({ refuse }, ahead) => refuse(ahead.includes('askOutcome gives refusal'));

/** Whether what is asked of the provider now will be refused; `before` are messages that it decides earlier. */
const willRefuse = (ahead: readonly string[], before = 0): boolean =>
  ahead.filter((name) => /^askOutcome gives (refusal|acceptance|a row|an empty list|a list)/.test(name))[before] ===
  'askOutcome gives refusal';

/** The message is not the one that is typed: it has to be authorised, or another one is put beside it. */
const isOfAnother = (ahead: readonly string[]): boolean =>
  ahead.includes('askOutcome gives a link') ||
  (ahead.some((name) => /^send (fails|gives an id)$/.test(name)) &&
    !ahead.includes('send gives the pending one') &&
    !ahead.includes('send gives one that exists'));

/** A deletion that awaits its answer; what will be listed afterwards is not what it deletes. */
const deleting: Situation = async ({ at: become, remove, refuseDeletions }, ahead) => {
  await become('creditor');
  if (willRefuse(ahead) && !ahead.includes('answer.leave')) await refuseDeletions();
  await remove(ahead.includes('askOutcome gives a row'));
};

/** Batches end in one way or the other, as the path is going to see. */
const hasFile = (ahead: readonly string[]): boolean =>
  ahead.some((name) => /^(read|follow)Batch gives PaymentFileAvailable/.test(name));

const currentNoMore = ({ api }: World): unknown =>
  api.done('setSetting', { body: { key: 'subscriptionId', value: '' } });

/** A subscription that is the current one already cannot be selected. */
const inList =
  (situation: Situation): Situation =>
  async (world, ahead) => {
    await situation(world, ahead);
    if (ahead.some((name) => name.startsWith('subscription.select'))) await currentNoMore(world);
  };

/** Situations by the name of the answer, or by port and answer where a name is not enough. */
const situations: Readonly<Record<string, Situation>> = {
  'no organisation': at('settings'),
  'no company': at('organisation'),
  'a company': at('company'),
  'a company, live': at('company'),
  'no user token': at('accessToken'),
  'a user token': at('userToken'),
  'no account': at('userToken'),
  'an account': at('account'),
  'a data set that is there': at('dataset'),
  facts: at('nothing'),
  settings: asItIs,
  'no language': setting('settings', 'acceptLanguage', ''),
  // The path fills in this one only.
  'no countries': setting('settings', 'providerCountry', ''),
  'any facts': asItIs,

  'no providers': setting('company', 'acceptLanguage', unspoken),
  providers: at('company'),
  'a single provider': under(singleWithoutSubscriptions, single),
  'no ecospend': setting('company', 'providerCountry', 'CA'),
  ecospend: at('company'),
  'two ecospends': at('company'), // the walker lists the second one
  'a subscription of another tab': at('subscription'),
  'an ecospend without subscriptions': under(bankWithoutSubscriptions, ''),

  'a subscription': at('subscription'),
  'a current row that waits': at('subscription'),
  // On the guided path the approval page of the current one would open by itself.
  'a waiting row': async (world) => {
    await world.at('subscription');
    await currentNoMore(world);
  },
  'an authorised row': inList(at('authorisation')),
  'a row with a pending update': inList(async (world, ahead) => {
    await at('authorisation')(world, ahead);
    await deciding(world, ahead);
    await world.update();
  }),
  'a row with an update that may not have arrived': inList(async (world, ahead) => {
    await at('authorisation')(world, ahead);
    await deciding(world, ahead);
    await world.losing(['updates'], () => world.update());
  }),
  'send gives the same one': ({ update }) => update(),
  'send gives another one': ({ update }) => update(true),
  'the message': asItIs,
  'a list that another tab has changed': ({ subscribed }) => subscribed(foreignName),
  'a row of an unknown country': inList(({ subscribed }) => subscribed(foreignName)),
  'readRow gives a waiting row': asItIs,
  'readRow gives an authorised row': approved,
  'watch gives a waiting row': asItIs,
  'watch gives an authorised row': approved,

  'no subscription': at('dataset'),
  'no provider': ({ subscribedTo }) => subscribedTo('unknown'),
  'an incapable provider': providerNamed(foreignName),
  'a usable subscription': usable,
  'send gives an id': deciding,
  'no outcome': asItIs,
  'no pending message': asItIs,
  'nothing pending': asItIs,
  'a pending message': async (world, ahead) => {
    await world.at('creditor');
    if (!isOfAnother(ahead)) await deciding(world, ahead);
    await world.put(isOfAnother(ahead));
  },
  'a message that may not have arrived': async (world, ahead) => {
    await world.at('creditor');
    if (!isOfAnother(ahead)) await deciding(world, ahead);
    await world.losing(['debtoraccountputs', 'creditorputs'], () => world.put(isOfAnother(ahead)));
  },
  'the pending one': ({ put }) => put(false),
  'one that exists': async ({ put, settle }) => {
    await put(false);
    await settle();
  },
  'a link': settled,
  acceptance: ({ decide }) => decide('approve'),
  refusal: ({ decide }) => decide('reject'),
  'a pending deletion': deleting,
  'a known row': at('creditor'),
  'a query under way': async (world, ahead) => {
    await usable(world, ahead);
    await world.refuse(willRefuse(ahead));
    await world.query();
  },
  'a deletion that may not have arrived': async (world, ahead) => {
    await world.at('creditor');
    if (willRefuse(ahead)) await world.refuseDeletions();
    // A row that is listed afterwards, or deleted anew after a refusal, is another one than the lost deletion's.
    const isOther = ahead.includes('askOutcome gives a row') || ahead.includes('retry');
    await world.losing(['debtoraccountdeletes', 'creditordeletes'], () => world.remove(isOther));
  },
  'a query that may not have arrived': async (world, ahead) => {
    await usable(world, ahead);
    await world.refuse(willRefuse(ahead));
    await world.losing(['debtoraccountlistqueries', 'creditorlistqueries'], () => world.query());
  },
  'a pending deletion and a query': async (world, ahead) => {
    await deleting(world, ahead);
    await world.refuse(willRefuse(ahead, ahead.includes('answer.leave') ? 0 : 1));
    await world.query();
  },
  'the id of a query': ({ refuse }, ahead) => refuse(willRefuse(ahead)),
  'nothing for long': asItIs,
  'an empty list': settled,
  'a list that is gone': async ({ settle, forgetWebhooks }) => {
    await settle();
    await forgetWebhooks();
  },
  'a row': settled,
  'clearAnswer gives nothing': asItIs,
  'the id of a deletion': ({ refuseDeletions }, ahead) =>
    ahead.includes('askOutcome gives refusal') && refuseDeletions(),

  'no authorisation': at('subscription'),
  'a suspended subscription': async ({ at: become, api }) => {
    await become('creditor');
    const { subscriptionId } = await api.done('getSettings');
    const body = { data: { suspendedByConsumer: true } };
    await api.done('patchSubscription', { params: { subscriptionId }, body });
  },
  'no debtors': at('authorisation'),
  'no creditors': at('debtor'),
  'no templates': setting('creditor', 'fileFormatCountry', 'CA'),
  everything: ({ owing }) => owing(),
  'everything, live': async ({ owing, api }, ahead) => {
    await owing();
    // One country has one template only, which cannot be changed for another.
    if (ahead.filter((name) => name.startsWith('format.choose')).length > 1)
      await api.done('setSetting', { body: { key: 'fileFormatCountry', value: '' } });
  },

  material: asItIs,
  'more invoices': asItIs,

  'no batch': at('creditor'),
  'a posted batch': async ({ batch, lab }, ahead) => {
    if (ahead.some((name) => name.endsWith(' gives AwaitingAuthorisation')))
      await lab.set({ on: 'batch', fault: { kind: 'needsApproval' } });
    await batch(hasFile(ahead) ? 'file' : 'electronic');
  },
  'its record': asItIs,
  'no record': ({ forgetBatches }) => forgetBatches(),
  // A batch that awaits its approval is processed once it is approved.
  Processing: ({ approveBatch }) => approveBatch(false),
  AwaitingAuthorisation: settled,
  Completed: async (world) => {
    await world.settle();
    await world.approveBatch();
  },
  PaymentFileAvailable: settled,
  'no batches': at('creditor'),
  batches: at('batch'),
  'loadBatches gives a batch': asItIs,
  'a key': asItIs,
  'a key and a paid invoice': ({ pay }) => pay(),
  'pay gives a batch': asItIs,
  // The page stays until the identity provider's has come.
  'a login': ({ lab }) => lab.set({ on: 'call', of: 'authorize', fault: { kind: 'noAnswer' } }),

  ...Object.fromEntries(
    [
      'organisation',
      'company',
      'account',
      'data set',
      'subscription',
      'a masked token',
      'the token itself',
      'a file',
      'a status',
      'a text',
      'health',
      'templates',
      'select gives nothing',
      'suspend gives nothing',
    ].map((name) => [name, asItIs]),
  ),
  'look gives providers': asItIs,
  'loadProviders gives providers': at('company'),
};

/** The situation in which a port gives an answer, by the name of its step, or facts are as named; undefined if nobody said. */
export const situationOf = (name: string): Situation | undefined =>
  situations[name] ?? situations[name.replace(/^.* gives /, '')];
