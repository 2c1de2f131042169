import type { StateValue } from 'xstate';

/** The active state by name, its inner one after a dot: 'answering.waiting'. Our charts have no parallel states. */
export const stateOf = ({ value }: { value: StateValue }): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value)
        .map(([outer, inner = '']) => `${outer}.${stateOf({ value: inner })}`)
        .join();
