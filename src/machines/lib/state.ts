import type { AnyMachineSnapshot, StateValue } from 'xstate';
import type { Meta } from './gate.ts';

/** The active state as dotted names, outer first: 'answering.waiting'. The charts have no parallel states. */
export const stateOf = ({ value }: { value: StateValue }): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value)
        .map(([outer, inner = '']) => `${outer}.${stateOf({ value: inner })}`)
        .join();

/** The name of the state in which a machine has reached its goal; undefined if it has none. */
export const goalOf = ({ machine }: AnyMachineSnapshot): string | undefined =>
  Object.values(machine.states).find(({ tags }) => tags.includes('done'))?.key;

/** The active state in a sentence for the user, from the innermost state's description. */
export const descriptionOf = (snapshot: AnyMachineSnapshot): string =>
  (Object.values(snapshot.getMeta()) as Meta[]).at(-1)?.description ?? ''; // what the charts' setup declares
