import type { Fault } from '#contract/labShapes.ts';

type DecisionFault = Fault<'authorisation'>;

/** Time (ms) between the request for a decision and the one that the fault lab takes. */
export const firstAfter = ({ kind, ms }: DecisionFault): number => (kind === 'approveThenRevoke' ? 0 : ms);

/** Time (ms) between the lab's two decisions about one thing. */
export const secondAfter = ({ kind, ms }: DecisionFault): number => (kind === 'approveThenRevoke' ? ms : 0);
