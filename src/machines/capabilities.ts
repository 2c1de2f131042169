import { alerts, type AlertId } from '#contract/alerts.ts';
import type { Facts } from '#contract/facts.ts';
import { isAuthorised } from '#contract/status.ts';
import type { Provider } from '#contract/lookup.ts';
import { blockers, nameOf, requirementStatus, type JourneyId } from './journeys.ts';
import { requirement, takesSubscriptions } from './requirements.ts';
import { withCurrent } from './unblock.ts';

/** The journeys that depend on the provider, in menu order. */
const ofProvider = [
  'subscription',
  'debtor',
  'debtorQuery',
  'creditor',
  'creditorQuery',
  'electronicPayment',
  'filePayment',
] as const satisfies readonly JourneyId[];

/** Why an entry is blocked: the text of its gate, and the current state of the gate's requirement. */
interface Blocked {
  title: string;
  stands: string;
}

export interface Capability {
  journey: JourneyId;
  name: string;
  /** The gates that block the entry, in order; empty if it is open. */
  blocked: readonly Blocked[];
}

/** The facts as they would be with this provider: with its subscription as the current one, or none if it has none. */
function factsWith(facts: Facts, { providerId, name, accountType: { capabilities = [] } }: Provider): Facts {
  const provider = { providerId, name, capabilities };
  if (facts.subscription && facts.provider?.providerId === providerId) return { ...facts, provider };
  const own = facts.alternatives.filter((each) => each.providerId === providerId);
  const best = own.find(({ subscription }) => isAuthorised(subscription.status)) ?? own[0];
  // A lost or unreadable current subscription says nothing about another provider's.
  const others = {
    ...facts,
    lost: facts.lost === 'subscription' ? ('' as const) : facts.lost,
    unread: facts.unread.filter((each) => each !== 'subscription' && each !== 'provider'),
  };
  if (best) return withCurrent(others, { ...best, provider });
  return {
    ...others,
    provider,
    subscription: null,
    debtors: 0,
    creditors: 0,
    settings: { ...facts.settings, subscriptionId: '' },
  };
}

const blocked = (alert: AlertId | undefined, stands: string): Blocked => ({
  title: alert ? alerts[alert] : stands,
  stands,
});

/** For each menu entry that depends on the provider: the gates at which its journey would stop with this provider. */
export function capabilitiesOf(provider: Provider, facts: Facts): Capability[] {
  const then = factsWith(facts, provider);
  return ofProvider.map((journey) => {
    const gates = blockers(journey, then).map((need) =>
      blocked(requirement(need).alert, requirementStatus(need, then)),
    );
    const refused = journey === 'subscription' && !takesSubscriptions(provider);
    const own = refused ? [blocked('noSubscriptionSupport', `${provider.name} doesn’t offer subscriptions`)] : [];
    return { journey, name: nameOf(journey), blocked: [...gates, ...own] };
  });
}
