import { ChakraProvider } from '@chakra-ui/react';
import { cleanup, render } from '@testing-library/react';
import { StrictMode, type ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, vi } from 'vitest';
import type { Facts } from '#contract/facts.ts';
import { FactsProvider } from '#app/facts.tsx';
import { system } from '#app/theme/system.ts';

// jsdom has no modal dialogs and no media queries; motion is what a test does not want.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
};
window.matchMedia = (query) =>
  ({ ...new EventTarget(), matches: query.includes('reduce'), media: query }) as MediaQueryList; // the rest is not used
Element.prototype.scrollIntoView = () => {};
globalThis.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.useRealTimers();
});

/** Facts of a user who has done nothing yet, with changes. */
export function factsWith(
  changes: Partial<Omit<Facts, 'settings'>> & { settings?: Partial<Facts['settings']> } = {},
): Facts {
  return {
    accessToken: false,
    userToken: false,
    providers: 9,
    provider: null,
    bankProvider: true,
    subscription: null,
    debtors: 0,
    creditors: 0,
    fileFormats: 6,
    batches: 0,
    batchStatus: '',
    transferUrl: 'http://sandbox.test/transfer',
    environment: 'sandbox',
    ...changes,
    settings: {
      subscriptionId: '',
      providerId: '',
      providerCountry: 'GB',
      fileFormatCountry: 'GB',
      acceptLanguage: 'en',
      useMock: 'true',
      useNetwork: 'true',
      organisationId: '',
      companyId: '',
      companySigningKey: '',
      accountId: '',
      dataSetId: '',
      userJwt: '',
      batchId: '',
      webhookData: '',
      postedBatches: '[]',
      providerUrl: 'http://sandbox.test/',
      subscriptions: '[]',
      ...changes.settings,
    },
  };
}

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{pathname + search}</output>;
}

/** Draws a part of the page at an address, in StrictMode, with facts from `load`; the address can be read back. */
export const renderPage = (page: ReactNode, { at = '/', load }: { at?: string; load?: () => Promise<Facts> } = {}) =>
  render(
    <StrictMode>
      <ChakraProvider value={system}>
        <MemoryRouter initialEntries={[at]}>
          <FactsProvider load={load ?? (() => Promise.resolve(factsWith()))}>
            {page}
            <Address />
          </FactsProvider>
        </MemoryRouter>
      </ChakraProvider>
    </StrictMode>,
  );
