import { faultHeader } from '#contract/constants.ts';
import type { FaultTarget } from '#contract/lab.ts';
import type { Fault } from '#contract/labShapes.ts';

/** Identifies the fault that caused something, wherever that is shown: its kind, and the rule or value that set it. */
export interface InjectedFault {
  kind: string;
  ruleId: string;
}

/** A fault that takes effect now. */
export interface ActiveFault<On extends FaultTarget> {
  fault: Fault<On>;
  injected: InjectedFault;
}

/** Returns the header that tells that the lab made an answer or a webhook. */
export const faultHeaders = ({ kind, ruleId }: InjectedFault): Record<string, string> => ({
  [faultHeader]: `${kind}; rule=${ruleId}`,
});
