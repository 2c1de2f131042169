import type { ReactNode } from 'react';
import { useLocation, type Location } from 'react-router-dom';
import { calls } from '#contract/calls.ts';
import { asUser } from '#app/client/user.ts';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import type { Facts } from '#contract/facts.ts';
import { addressOf, journeyAt, journeyOf, nextJourney } from '#machines/journeys.ts';

/** Values that can be in the page of a situation file; an id that a user chose may have other characters. */
const plain = /^[\w.-]+$/;

/**
 * The page that is opened with a situation: the journey where the user is, with the record that it is about; elsewhere the
 * step that is next. Other parameters of an address are of this browser, such as the outcome of a login.
 */
function presentStep({ pathname, search }: Pick<Location, 'pathname' | 'search'>, facts: Facts | null): string {
  const journey = journeyAt(pathname);
  if (!journey) {
    const next = facts && nextJourney(facts);
    return next ? addressOf(next) : '/';
  }
  const query = [...new URLSearchParams(search)].filter(
    ([name, value]) => (name === 'guided' || name === journeyOf(journey).about) && plain.test(value),
  );
  return query.length === 0 ? pathname : `${pathname}?${new URLSearchParams(query).toString()}`;
}

/** The link that downloads the situation of the sandbox, with the present step. */
export function SaveSituation(props: { onClick?: () => void; children: ReactNode }) {
  const step = presentStep(useLocation(), useFacts());
  return <a {...props} href={asUser(calls.saveSituation.path, [['step', step]])} download="situation.json" />;
}
