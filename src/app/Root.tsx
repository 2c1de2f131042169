import type { EmotionCache } from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { ChakraProvider } from '@chakra-ui/react';
import { StrictMode, type ReactNode } from 'react';
import type { Facts } from '#contract/facts.ts';
import { App } from './App.tsx';
import { system } from './theme/system.ts';

/** Name of the page's style elements. */
export const styleKey = 'css';

/** The page with its styles in `cache`; `router` supplies its address, `facts` is their first reading. */
export const Root = ({
  cache,
  router: Router,
  facts,
}: {
  cache: EmotionCache;
  router: (props: { children: ReactNode }) => ReactNode;
  facts?: Promise<Facts>;
}) => (
  <StrictMode>
    <CacheProvider value={cache}>
      <ChakraProvider value={system}>
        <Router>
          <App facts={facts} />
        </Router>
      </ChakraProvider>
    </CacheProvider>
  </StrictMode>
);
