import { ChakraProvider } from '@chakra-ui/react';
import { act, cleanup, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useSelector } from '@xstate/react';
import { StrictMode, type ComponentType } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach } from 'vitest';
import type { ActorRefFrom, AnyActorRef, AnyMachineSnapshot, AnyStateMachine, InputFrom } from 'xstate';
import { system } from '#app/theme/system.ts';
import type { Problem } from '#contract/problem.ts';
import { live } from './live.ts';

afterEach(cleanup);

/** A step is drawn while its journey is in a form or a list, and only then (machines/gate.ts). */
function ByTag({ Step, actor }: { Step: ComponentType<{ actor: never }>; actor: AnyActorRef }) {
  const drawn = useSelector(actor, (now: AnyMachineSnapshot) => now.hasTag('form') || now.hasTag('list'));
  return drawn && <Step actor={actor as never} />; // draw pairs the step with its own machine
}

/** A step on the page over its machine, whose ports answer when the test says so. */
export function draw<M extends AnyStateMachine>(
  Step: ComponentType<{ actor: ActorRefFrom<M> }>,
  machine: M,
  options: { input?: InputFrom<M> } = {},
) {
  const { actor, calls, pending, ...journey } = live(machine, options);
  render(
    <StrictMode>
      <ChakraProvider value={system}>
        <MemoryRouter>
          <ByTag Step={Step} actor={actor} />
        </MemoryRouter>
      </ChakraProvider>
    </StrictMode>,
  );
  return {
    user: userEvent.setup(),
    calls,
    pending,
    /** Whether the journey is in that state. */
    isIn: (state: string): boolean => (actor.getSnapshot() as AnyMachineSnapshot).matches(state),
    answer: (name: string, output?: unknown) => act(() => journey.answer(name, output)),
    refuse: (name: string, problem: Problem) => act(() => journey.refuse(name, problem)),
    pass: (ms: number) => act(() => journey.pass(ms)),
  };
}
