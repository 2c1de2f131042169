import { locale } from '#contract/constants.ts';
import type { Alternative, Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import {
  blockers,
  hasResult,
  isUnread,
  journeyAt,
  journeyOf,
  providing,
  requirementStatus,
  type JourneyId,
} from './journeys.ts';
import { isAbsent } from './requirementText.ts';
import { hasLiveSubscription, requirement, type RequirementId } from './requirements.ts';

/**
 * The journey that currently provides a requirement: if no subscription can be authorised any more, the one that
 * creates a new one.
 */
function provider(need: RequirementId, facts: Facts): JourneyId | undefined {
  const journey = providing(need);
  return journey === 'authorisation' && !hasLiveSubscription(facts) ? providing('subscription') : journey;
}

/** A journey that can be started, and the requirement that it provides. */
export interface Way {
  journey: JourneyId;
  need: RequirementId;
}

/**
 * The way to a missing requirement: the journey that provides it or, if that one is blocked, the way to its own missing
 * requirement. Leaves out journeys that would stop at another gate. Undefined if there is none.
 */
export function nextStepFor(need: RequirementId, facts: Facts, passed: readonly RequirementId[] = []): Way | undefined {
  const journey = provider(need, facts);
  const before = journey && blockers(journey, facts).find((each) => !isUnread(each, facts));
  if (before && !passed.includes(before)) return nextStepFor(before, facts, [...passed, need]);
  return journey && { journey, need };
}

const nouns: Partial<Record<RequirementId, string>> = {
  organisation: 'an organisation',
  company: 'a company',
  userToken: 'a user token',
  account: 'an account',
  anySubscription: 'a subscription',
  authorisedSubscription: 'an approved subscription',
  usableSubscription: 'an approved subscription',
  debtors: 'a debtor',
  creditors: 'a creditor',
  batches: 'a batch',
};

const listed = new Intl.ListFormat(locale, { type: 'conjunction' });

/** What is missing for a requirement, in the order in which it can be provided. */
function lacksFor(need: RequirementId, facts: Facts, passed: readonly RequirementId[] = []): RequirementId[] {
  const journey = provider(need, facts);
  const before = journey ? blockers(journey, facts).filter((each) => ![...passed, need].includes(each)) : [];
  return [...before.flatMap((each) => lacksFor(each, facts, [...passed, need])), need];
}

/**
 * What the gate of a page says below its title: all that the page lacks in one sentence or, if the next of it exists,
 * where that stands. '' where the title says all of it.
 */
export function missingText(id: JourneyId, need: RequirementId, facts: Facts): string {
  const first = nextStepFor(need, facts)?.need ?? need;
  const stands = [need, first].map((each) => requirementStatus(each, facts)).filter((text) => !isAbsent(text));
  if (stands.length > 0) return [...new Set(stands)].join('. ');
  const lacks = blockers(id, facts).flatMap((each) => lacksFor(each, facts).flatMap((lack) => nouns[lack] ?? []));
  const named = [...new Set(lacks)];
  return named.length > 1 ? `You need ${listed.format(named)}` : '';
}

/** The journey that creates another subscription, if the way is otherwise to wait for or change the current one. */
export const alternativeStep = (need: RequirementId, facts: Facts): JourneyId | undefined => {
  const another = providing('subscription');
  const waits = nextStepFor(need, facts)?.journey === providing('usableSubscription');
  return waits && another && blockers(another, facts).length === 0 ? another : undefined;
};

/**
 * Whether this journey has provided all that it can for the page at an address: the way to each of the page's missing
 * requirements is another journey. False while this journey is blocked by a gate itself. For a page without
 * requirements: whether this journey's result exists.
 */
export function hasProvided(id: JourneyId, address: string, facts: Facts): boolean {
  const page = journeyAt(address.split('?')[0] ?? '');
  return page && journeyOf(page).requires.length > 0
    ? blockers(id, facts).length === 0 &&
        blockers(page, facts).every((need) => nextStepFor(need, facts)?.journey !== id)
    : hasResult(id, facts);
}

/** The facts as they would be with another subscription as the current one. */
export const withCurrent = (
  facts: Facts,
  {
    subscription,
    provider,
    debtors,
    creditors,
  }: Pick<Alternative, 'subscription' | 'provider' | 'debtors' | 'creditors'>,
): Facts => ({
  ...facts,
  subscription,
  provider,
  debtors,
  creditors,
});

/** Number of missing requirements of a journey that depend on the subscription. */
const missing = (id: JourneyId, facts: Facts): number =>
  blockers(id, facts).filter((need) => requirement(need).ofSubscription).length;

/**
 * Another stored subscription with which the journey could start, or would lack only debtors and creditors, which can
 * be created; of several, the one that lacks least. Undefined if there is none, or if the missing requirement does not
 * depend on the subscription.
 */
export function otherSubscription(id: JourneyId, need: RequirementId, facts: Facts): Alternative | undefined {
  if (!requirement(need).ofSubscription) return undefined;
  const would = facts.alternatives
    .map((alternative) => ({ alternative, then: withCurrent(facts, alternative) }))
    .filter(({ then }) => requirement(need).isMet(then) && goesOn(id, then))
    .sort((a, b) => missing(id, a.then) - missing(id, b.then));
  return would[0]?.alternative;
}

/**
 * Whether all missing requirements that depend on the subscription are debtors or creditors whose journeys can be
 * started.
 */
const goesOn = (id: JourneyId, facts: Facts): boolean =>
  blockers(id, facts)
    .filter((need) => requirement(need).ofSubscription)
    .every((need) => {
      const journey = providing(need);
      return (need === 'debtors' || need === 'creditors') && journey && blockers(journey, facts).length === 0;
    });

/**
 * Why the data for a page's first gate could not be read from the service. Null if it could be read, and for bank file
 * templates, whose gate reports the failure itself (behaviour, section 8).
 */
export function unreadFor(id: JourneyId, facts: Facts): Problem | null {
  const [first] = blockers(id, facts);
  return first && first !== 'fileFormats' && isUnread(first, facts) ? facts.unreadBecause : null;
}
