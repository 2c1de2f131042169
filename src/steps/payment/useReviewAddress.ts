import { useSelector } from '@xstate/react';
import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType, type Location } from 'react-router-dom';
import { isReviewOpen } from '#machines/payment/review.ts';
import { sameVisit } from '#ui/visit.ts';
import type { PaymentActor } from './paymentActor.ts';

const parameter = 'review';

const isNamed = ({ search }: Location): boolean => new URLSearchParams(search).has(parameter);

/** The query with or without the review. */
function queryFor({ search }: Location, open: boolean): string {
  const query = new URLSearchParams(search);
  if (open) query.set(parameter, 'open');
  else query.delete(parameter);
  return query.toString();
}

/**
 * The address mirrors the review, which is a state of the payment's chart: an open review has a history entry of its own.
 * A move through the history to an address without the review presses Back; the chart decides whether that closes it. An
 * address cannot open a review, because that stores an attempt (behaviour, section 10.9).
 */
export function useReviewAddress(actor: PaymentActor): void {
  const location = useLocation();
  const navigate = useNavigate();
  const hasMoved = useNavigationType() === NavigationType.Pop;
  const open = useSelector(actor, isReviewOpen);
  /** The address last seen, and the one that a move made here leaves: the router renders the new one later. */
  const seen = useRef(location);
  const left = useRef<Location>(null);
  useEffect(() => {
    if (left.current === location) return;
    if (seen.current !== location && !left.current && hasMoved && !isNamed(location))
      actor.send({ type: 'review.back' });
    seen.current = location;
    left.current = null;
    const isOpen = isReviewOpen(actor.getSnapshot());
    if (isOpen === null || isOpen === isNamed(location)) return;
    left.current = location;
    // A link, a reload or Forward leads to an entry that stays, so that Forward can go on from it.
    if (!isOpen && !hasMoved) void navigate(-1);
    else void navigate({ search: queryFor(location, isOpen) }, { replace: !isOpen, state: sameVisit(location) });
  }, [actor, open, location, navigate, hasMoved]);
}
