import type { StateValue } from 'xstate';

/** The active state as dotted names, outer first: 'answering.waiting'. The charts have no parallel states. */
export const stateOf = ({ value }: { value: StateValue }): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value)
        .map(([outer, inner = '']) => `${outer}.${stateOf({ value: inner })}`)
        .join();
