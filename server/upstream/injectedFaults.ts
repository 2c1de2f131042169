/** Identifies a call of the service for both the console and the sandbox. */
interface FaultedCall {
  interactionId: string;
  method: string;
  path: string;
}

/** The embedded sandbox's record of calls that its fault lab affects, for answers that never arrive. */
export interface InjectedFaults {
  /** Returns the fault of a call that has ended, as the lab's header names it, once; '' if it has none. */
  take(call: FaultedCall): string;
}
