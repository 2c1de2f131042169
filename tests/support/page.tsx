import { ChakraProvider } from '@chakra-ui/react';
import { render } from '@testing-library/react';
import { StrictMode, type ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import { FactsProvider } from '#app/facts.tsx';
import { system } from '#app/theme/system.ts';
import { factsAfter } from './facts.ts';
import './jsdom.ts';

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{pathname + search}</output>;
}

/** Draws a part of the page at an address, in StrictMode, with facts from `load`; the address can be read back. */
export const renderPage = (
  page: ReactNode,
  {
    at = '/',
    load = () => Promise.resolve(factsAfter('settings')),
  }: { at?: string | object; load?: () => Promise<Facts> } = {},
) =>
  render(
    <StrictMode>
      <ChakraProvider value={system}>
        <MemoryRouter initialEntries={[at]}>
          <FactsProvider load={load}>
            {page}
            <Address />
          </FactsProvider>
        </MemoryRouter>
      </ChakraProvider>
    </StrictMode>,
  );
