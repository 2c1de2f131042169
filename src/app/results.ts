import type { Facts, Made, MadeKind } from '#contract/facts.ts';
import type { JourneyId } from '#machines/journeys.ts';

/** Journeys that make what another one makes as well. */
const sameAs: Partial<Record<JourneyId, MadeKind>> = {
  bankSubscription: 'subscription',
  electronicPayment: 'batch',
  filePayment: 'batch',
};

/** What a journey makes, if it makes something. */
export const kindOf = (id: JourneyId, { made }: Facts): MadeKind | undefined =>
  sameAs[id] ?? (id in made ? (id as MadeKind) : undefined); // it is one

/** How what a journey made came to be, where that is known. */
export function madeBy(id: JourneyId, facts: Facts): Made | undefined {
  const kind = kindOf(id, facts);
  return kind && facts.made[kind];
}
