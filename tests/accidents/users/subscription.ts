import type { Provider } from '#contract/lookup.ts';
import type { Context as Choosing } from '#machines/subscription/choice.ts';
import type { SubscriptionRow } from '#machines/subscription/rows.ts';
import { does, fills, first, formWays, habit, idsOf, late, leaves, none, once, retries, waits } from '../acts.ts';
import type { Does, Now, User } from '../user.ts';
import type { Kept } from '../world.ts';

const subscribes = (journey: 'subscription' | 'bankSubscription'): User => {
  const isThere: User['isThere'] = ({ settings }, before) =>
    settings.subscriptionId !== '' && settings.subscriptionId !== before.settings.subscriptionId;
  const bank: Does = ({ snapshot }) => {
    const { options } = (snapshot.context as Choosing).form.fields[0]!; // the choice of a bank
    return { type: 'form.change', field: 'bankIdentifier', value: options.find(({ blocked }) => !blocked)?.value };
  };
  const form = fills(isThere, journey === 'bankSubscription' ? [bank] : undefined);
  const chooses =
    (able: boolean): Does =>
    ({ snapshot }) => {
      const { providers } = snapshot.context as Choosing;
      const takes = ({ accountType }: Provider) => accountType.capabilities?.includes('SubscriptionRequired') ?? false;
      return { type: 'provider.choose', providerId: providers.find((each) => takes(each) === able)?.providerId };
    };
  return {
    journey,
    at: 'dataset',
    isThere,
    made: idsOf('subscription'),
    does: {
      ...form,
      choosing: (now) => {
        if (isThere(now.facts, now.notes.before)) return 'leaves';
        if (now.notes.habits.includes('hastes')) return chooses(true)(now);
        return habit('errs', chooses(false), does('form.fill'))(now);
      },
      noSubscriptionSupport: does('provider.clear'),
    },
    ways: [
      ...formWays(journey === 'subscription' ? ['loading', 'choosing'] : ['loading']),
      ...(journey === 'subscription' ? [{ habits: ['errs'], states: ['noSubscriptionSupport'] }] : []),
      { at: 'organisation', states: ['blocked'] },
      { at: 'settings', states: ['blocked'] },
    ],
  };
};

const rowIn = ({ snapshot }: Now): SubscriptionRow => (snapshot.context as { rows: SubscriptionRow[] }).rows[0]!; // its stage has one

/** One action of a row of the subscription list. */
const list = (
  at: Kept,
  listing: Does,
  isThere: User['isThere'],
  ways: User['ways'],
  more: User['does'] = {},
): User => ({
  journey: 'authorisation',
  at,
  isThere,
  made: none,
  ways,
  does: {
    'list.listing': listing,
    unavailable: retries,
    'list.refused': retries,
    ...more,
  },
});

const approves: Does = async (now) => {
  const { chosen } = now.snapshot.context as { chosen: SubscriptionRow };
  if (now.notes.done.has('approves') || chosen.authorise === '') return undefined;
  now.notes.done.add('approves');
  const body = new URLSearchParams({ decision: 'approve' });
  const page = await now.world.fetch(chosen.authorise, { method: 'POST', body });
  if (page.ok && !(await page.text()).includes('has expired')) return undefined;
  now.notes.done.delete('approves');
  return { type: 'authorise.close' }; // and asks for the next link
};

export const subscription = {
  'subscribe by form': subscribes('subscription'),
  'subscribe by bank': subscribes('bankSubscription'),
  'authorise a subscription': list(
    'subscription',
    (now) => {
      const { status, authorise, subscriptionId, suspended } = rowIn(now);
      if (suspended) return { type: 'subscription.suspend', id: subscriptionId };
      if (status === 'Authorised') return 'leaves';
      return authorise === ''
        ? first('looks', retries, leaves)(now)
        : { type: 'subscription.authorise', id: subscriptionId };
    },
    ({ subscription }) => subscription?.status === 'Authorised',
    [
      { states: ['loading', 'list.listing', 'approving.waiting'] },
      { faults: { loading: 'cut' }, states: ['unavailable'] },
      { faults: { 'approving.waiting': 'cut' }, states: ['approving.unanswered'] },
      { at: 'dataset', states: ['blocked'] },
    ],
    { 'approving.waiting': approves, 'approving.unanswered': retries },
  ),
  'suspend a subscription': list(
    'creditor',
    (now) => (rowIn(now).suspended ? 'leaves' : { type: 'subscription.suspend', id: rowIn(now).subscriptionId }),
    ({ subscription }) => subscription?.suspendedByConsumer === true,
    [
      { states: ['acting.suspending', 'acting.refreshing'] },
      { faults: { 'acting.suspending': 'cut' }, states: ['list.refused'] },
    ],
  ),
  'select a subscription': list(
    'creditor',
    once('select', (now) => ({ type: 'subscription.select', id: rowIn(now).subscriptionId })),
    ({ subscription }) => subscription !== null,
    [{ states: ['acting.selecting'] }],
  ),
  'update a subscription': {
    ...list(
      'creditor',
      once('update', (now) => ({ type: 'subscription.update', id: rowIn(now).subscriptionId })),
      ({ subscription }) => subscription !== null,
      [
        { states: ['updating.editing', 'updating.messaging.sending', 'updating.messaging.waiting'] },
        { faults: { 'updating.messaging.waiting': 'cut' }, states: ['updating.messaging.unanswered'] },
        {
          habits: ['late', 'reopens'],
          before: late('updates'),
          faults: { 'updating.messaging.sending': 'lost' },
          states: ['updating.messaging.resending', 'updating.refused'],
        },
      ],
      {
        'updating.editing': does('form.submit'),
        'updating.messaging.waiting': waits,
        'updating.refused': habit('reopens', () => 'reloads', retries),
        'updating.messaging.unanswered': retries,
        'updating.another': does('answer.await'),
      },
    ),
    made: none, // sent again, it changes nothing more
  },
} as const satisfies Record<string, User>;
