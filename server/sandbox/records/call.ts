import type { Context } from 'koa';
import { faultHeader } from '#contract/constants.ts';
import { type FaultTarget } from '#contract/faults.ts';
import type { Fault } from '#contract/controlShapes.ts';
import { pathOf, serviceCalls } from '#contract/serviceCalls.ts';
import { unknownIn } from '#server/upstream/wireFaults.ts';

/** How the paths of the service begin, without those of the identity provider, which has pages as well. */
const begins = [...new Set(Object.values(serviceCalls).map(({ path }) => path.replace(/^(\/[^/]+\/).*/, '$1')))].filter(
  (each) => !pathOf('authorize').startsWith(each),
);

/** Whether a path belongs to the service's API; others are pages, and calls of the fault lab. */
export const isApi = (path: string): boolean =>
  begins.some((each) => path.startsWith(each)) || path === pathOf('userInfo');

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

/** Returns the value of the header that names a fault. */
export const faultMark = ({ kind, ruleId }: InjectedFault): string => `${kind}; rule=${ruleId}`;

/** Returns the header that tells that the lab made an answer or a webhook. */
export const faultHeaders = (injected: InjectedFault): Record<string, string> => ({
  [faultHeader]: faultMark(injected),
});

/** What handlers and faults note about a call while it is answered. */
export interface CallNotes {
  /** Whether the service has done what was asked. */
  isDone: boolean;
  /** The fault that affects the call. */
  fault?: InjectedFault;
  /** The body, or the part of it, that a fault has sent itself. */
  sent?: Buffer;
  /** What is wrong with the call, one sentence each. */
  mistakes: string[];
  /** The text that should have been signed; '' if the signature is right, or none is needed. */
  expected: string;
  /** The text that was probably signed instead; '' if unknown. */
  signed: string;
  /** The addresses by which the caller knows the service; [] unless the console forwarded the call. */
  addresses: readonly string[];
}

export const newNotes = (addresses: readonly string[] = []): CallNotes => ({
  isDone: false,
  mistakes: [],
  expected: '',
  signed: '',
  addresses,
});

/** Returns the notes about a call, which the recorder has begun. */
export const notesOf = ({ state }: Context): CallNotes => state['notes'] as CallNotes; // Koa's type is any

export function beginNotes({ state }: Context, notes: CallNotes): void {
  state['notes'] = notes;
}

/** Notes the unknown members of a body: those in `received` that parsing dropped from `accepted`. */
export function noteUnknown(ctx: Context, received: unknown, accepted: unknown): void {
  notesOf(ctx).mistakes.push(...unknownIn(received, accepted));
}
