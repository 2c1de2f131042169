import type { Facts, Made, MadeKind } from '#contract/facts.ts';
import { own } from '#contract/member.ts';
import type { JourneyId } from '#machines/journeys.ts';

/** Journeys whose result has the same kind as another journey's. */
const sameAs: Partial<Record<JourneyId, MadeKind>> = {
  bankSubscription: 'subscription',
  electronicPayment: 'batch',
  filePayment: 'batch',
};

/** The kind of record that a journey creates; undefined if it creates none. */
export const kindOf = (id: JourneyId, { made }: Facts): MadeKind | undefined =>
  sameAs[id] ?? (own(made, id) ? id : undefined);

/** A journey's result and the call that created it; undefined if unknown. */
export function madeBy(id: JourneyId, facts: Facts): Made | undefined {
  const kind = kindOf(id, facts);
  return kind && facts.made[kind];
}
