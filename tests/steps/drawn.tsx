import { ChakraProvider } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode, type ComponentType } from 'react';
import { MemoryRouter } from 'react-router-dom';
import type { AnyActorRef, AnyMachineSnapshot, AnyStateMachine, InputFrom } from 'xstate';
import { system } from '#app/theme/system.ts';
import { stateOf } from '#machines/lib/state.ts';
import { everything } from '#tests/support/facts.ts';
import { live, type Live } from '#tests/support/deferredPorts.ts';

/** Draws a step where StepHost would: in the states tagged form or list. */
function Host({ actor, Step }: { actor: AnyActorRef; Step: ComponentType<{ actor: never }> }) {
  const snapshot: AnyMachineSnapshot = useSelector(actor, (now: AnyMachineSnapshot) => now);
  const drawn = snapshot.hasTag('form') || snapshot.hasTag('list');
  return drawn ? <Step actor={actor as never} /> : <p>not the step’s</p>; // each test pairs a step with its own machine
}

/** A step over its machine with deferred ports, in StrictMode; what moves the machine is wrapped in `act`. */
export function drawn<M extends AnyStateMachine>(
  machine: M,
  Step: ComponentType<{ actor: never }>,
  options: { input?: InputFrom<M> } = {},
): Live<M> & { user: ReturnType<typeof userEvent.setup>; isIn: (state: string) => boolean } {
  const given: object | undefined = options.input;
  const running = live(machine, { input: { facts: everything, ...given } as InputFrom<M> }); // journeys start with facts
  render(
    <StrictMode>
      <ChakraProvider value={system}>
        <MemoryRouter>
          <Host actor={running.actor} Step={Step} />
        </MemoryRouter>
      </ChakraProvider>
    </StrictMode>,
  );
  return {
    ...running,
    user: userEvent.setup(),
    /** Whether the journey is in that state, by its dotted names. */
    isIn: (state) => `${stateOf(running.actor.getSnapshot() as AnyMachineSnapshot)}.`.startsWith(`${state}.`), // any machine's states
    answer: (name, output) => act(() => running.answer(name, output)),
    refuse: (name, problem) => act(() => running.refuse(name, problem)),
    send: (event) => act(() => running.send(event)),
    pass: (ms) => act(() => running.pass(ms)),
  };
}
