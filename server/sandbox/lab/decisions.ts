import type { Fault } from '#contract/labShapes.ts';

type DecisionFault = Fault<'authorisation'>;

/** Returns the time (ms) between the request for a decision and the lab's decision. */
export const firstDecisionDelay = ({ kind, ms }: DecisionFault): number => (kind === 'approveThenRevoke' ? 0 : ms);

/** Returns the time (ms) between the lab's two decisions about the same item. */
export const secondDecisionDelay = ({ kind, ms }: DecisionFault): number => (kind === 'approveThenRevoke' ? ms : 0);
