import { ChakraProvider } from '@chakra-ui/react';
import { render } from '@testing-library/react';
import { StrictMode, type ComponentProps, type ReactNode } from 'react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import type { AnyStateMachine } from 'xstate';
import { ConsoleProvider } from '#app/console/ConsoleProvider.tsx';
import { JourneyPage } from '#app/journey/StepHost.tsx';
import type { JourneyCode } from '#machines/console.ts';
import { system } from '#app/theme/system.ts';
import { journeyOf, type JourneyId } from '#machines/journeys.ts';
import { factsAfter } from './facts.ts';

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{pathname + search}</output>;
}

type Options = Omit<ComponentProps<typeof ConsoleProvider>, 'children'> & { at?: string | object };

/**
 * Renders a part of the page at an address, in StrictMode, with facts from `load`; shows the current address for
 * assertions.
 */
export const renderPage = (
  page: ReactNode,
  { at = '/', load = () => Promise.resolve(factsAfter('settings')), ...options }: Options = {},
) =>
  render(
    <StrictMode>
      <ChakraProvider value={system}>
        <MemoryRouter initialEntries={[at]}>
          <ConsoleProvider load={load} {...options}>
            {page}
            <Address />
          </ConsoleProvider>
        </MemoryRouter>
      </ChakraProvider>
    </StrictMode>,
  );

/** Loads this machine for every journey, for example one whose effects the test supplies. */
export const supplying = (machine: AnyStateMachine, input?: JourneyCode['input']) => () =>
  Promise.resolve({ machine, ...(input && { input }) });

/** Renders the page of a journey whose ports the test supplies. */
export const renderStep = (
  id: JourneyId,
  machine: AnyStateMachine,
  { input, ...options }: Options & Pick<JourneyCode, 'input'>,
) =>
  renderPage(
    <Routes>
      <Route path={journeyOf(id).path} element={<JourneyPage id={id} />} />
      <Route path="*" element={null} />
    </Routes>,
    { loadJourney: supplying(machine, input), at: journeyOf(id).path, ...options },
  );
