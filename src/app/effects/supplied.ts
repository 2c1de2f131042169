import type { AnyStateMachine } from 'xstate';

/** A journey's machine with its effects supplied; `input` derives its journey-specific input from the address. */
export interface SuppliedJourney {
  machine: AnyStateMachine;
  input?: (query: URLSearchParams) => object;
}
