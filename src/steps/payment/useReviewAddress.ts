import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { sameVisit } from '#ui/visit.ts';
import type { PaymentActor } from './paymentActor.ts';

const parameter = 'review';

/** The query with or without the review. */
function queryFor(search: string, open: boolean): string {
  const query = new URLSearchParams(search);
  if (open) query.set(parameter, 'open');
  else query.delete(parameter);
  return query.toString();
}

/**
 * Keeps the address and the review in step: opening the review adds a history entry, and Back closes it. Forward and a
 * reload show the form: only the user's Review opens a review, because that stores an attempt. `isReview`: whether the review is shown; null once it is over.
 */
export function useReviewAddress(actor: PaymentActor, isReview: boolean | null): void {
  const location = useLocation();
  const navigate = useNavigate();
  const navigation = useNavigationType();
  const isAsked = new URLSearchParams(location.search).has(parameter);
  const before = useRef({ isReview: false, isAsked: false });
  useEffect(() => {
    const { isReview: wasReview, isAsked: wasAsked } = before.current;
    before.current = { isReview: isReview === true, isAsked };
    const state = sameVisit(location) as { visit: string; review?: true };
    const go = (open: boolean, replace: boolean) =>
      void navigate({ search: queryFor(location.search, open) }, { replace, state: { ...state, review: true } });
    const close = () => (state.review ? void navigate(-1) : go(false, true));
    if (isReview === null || isReview === isAsked) return;
    if (isReview && !wasReview)
      go(true, false); // opened by the user
    else if (isAsked && wasReview)
      close(); // closed by the user
    else if (isReview && navigation !== NavigationType.Pop)
      go(true, false); // the form's address came late: only Back closes
    else if (isReview && wasAsked) {
      actor.send({ type: 'review.back' });
      // What is being sent cannot be left.
      if (actor.getSnapshot().matches({ review: 'paying' })) go(true, false);
    } else if (isAsked) go(false, true);
  }, [actor, isReview, isAsked, location, navigate, navigation]);
}
