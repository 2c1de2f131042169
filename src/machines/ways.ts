import type { Alternative, Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { blockers, hasResult, isUnread, journeyAt, journeyOf, providing, type JourneyId } from './journeys.ts';
import { requirement, type RequirementId } from './requirements.ts';

/** States that a subscription does not leave (wire, section 10). */
const ended: readonly string[] = ['Rejected', 'Cancelled'];

const isLive = ({ subscription: { status } }: Pick<Alternative, 'subscription'>): boolean => !ended.includes(status);

/** Whether the list of subscriptions holds one from which something can still come. */
const anyLive = ({ subscription, alternatives }: Facts): boolean =>
  (subscription !== null && isLive({ subscription })) || alternatives.some(isLive);

/** What provides a requirement as things stand: where no subscription can come to be authorised, a new one. */
function provider(need: RequirementId, facts: Facts): JourneyId | undefined {
  const journey = providing(need);
  return journey === 'authorisation' && !anyLive(facts) ? providing('subscription') : journey;
}

/** A journey that can be gone into, and the requirement that it provides. */
export interface Way {
  journey: JourneyId;
  need: RequirementId;
}

/**
 * The way towards something missing: the journey that provides it or, where that one lacks something itself, the way to
 * that. Nothing that ends at another gate.
 */
export function wayTo(need: RequirementId, facts: Facts, passed: readonly RequirementId[] = []): Way | undefined {
  const journey = provider(need, facts);
  const before = journey && blockers(journey, facts).find((each) => !isUnread(each, facts));
  if (before && !passed.includes(before)) return wayTo(before, facts, [...passed, need]);
  return journey && { journey, need };
}

/** Another subscription, where the way is to wait for the current one or to change it. */
export const anotherWayTo = (need: RequirementId, facts: Facts): JourneyId | undefined => {
  const another = providing('subscription');
  const waits = wayTo(need, facts)?.journey === providing('usableSubscription');
  return waits && another && blockers(another, facts).length === 0 ? another : undefined;
};

/**
 * Whether the page at an address, which was left for this journey, has got what it can get from it: nothing that the
 * page lacks leads here any more. For a page that requires nothing, whether the journey's result is there.
 */
export function hasProvided(id: JourneyId, address: string, facts: Facts): boolean {
  const page = journeyAt(address.split('?')[0] ?? '');
  return page && journeyOf(page).requires.length > 0
    ? blockers(page, facts).every((need) => wayTo(need, facts)?.journey !== id)
    : hasResult(id, facts);
}

/** Facts as they would be with another subscription as the current one. */
const withCurrent = (facts: Facts, { subscription, provider, debtors, creditors }: Alternative): Facts => ({
  ...facts,
  subscription,
  provider,
  debtors,
  creditors,
});

/** How much of what a journey asks of the subscription is missing. */
const missing = (id: JourneyId, facts: Facts): number =>
  blockers(id, facts).filter((need) => requirement(need).ofSubscription).length;

/**
 * Another subscription kept here with which the journey could go on, or at least lacks nothing but debtors and
 * creditors, which can be created; the one that lacks least. Undefined if what is missing is no matter of the
 * subscription.
 */
export function standIn(id: JourneyId, need: RequirementId, facts: Facts): Alternative | undefined {
  if (!requirement(need).ofSubscription) return undefined;
  const would = facts.alternatives
    .map((alternative) => ({ alternative, then: withCurrent(facts, alternative) }))
    .filter(({ then }) => requirement(need).met(then) && goesOn(id, then))
    .sort((a, b) => missing(id, a.then) - missing(id, b.then));
  return would[0]?.alternative;
}

/** Nothing is missing of the subscription but what journeys of its own provide, and these may be gone into. */
const goesOn = (id: JourneyId, facts: Facts): boolean =>
  blockers(id, facts)
    .filter((need) => requirement(need).ofSubscription)
    .every((need) => {
      const journey = providing(need);
      return (need === 'debtors' || need === 'creditors') && journey && blockers(journey, facts).length === 0;
    });

/**
 * Why a page cannot be opened now: what its first gate asks could not be read at the service. Not so bank file
 * templates, whose gate speaks then (behaviour, section 8).
 */
export function unreadFor(id: JourneyId, facts: Facts): Problem | null {
  const [first] = blockers(id, facts);
  return first && first !== 'fileFormats' && isUnread(first, facts) ? facts.unreadBecause : null;
}
