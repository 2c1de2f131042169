import type { EmotionCache } from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { ChakraProvider } from '@chakra-ui/react';
import { StrictMode, type ReactNode } from 'react';
import { App } from './App.tsx';
import { system } from './theme/system.ts';

/** Name of the page's style elements. */
export const styleKey = 'css';

/** The page with its styles in `cache`; `router` puts it at an address. */
export const Root = ({
  cache,
  router: Router,
}: {
  cache: EmotionCache;
  router: (props: { children: ReactNode }) => ReactNode;
}) => (
  <StrictMode>
    <CacheProvider value={cache}>
      <ChakraProvider value={system}>
        <Router>
          <App />
        </Router>
      </ChakraProvider>
    </CacheProvider>
  </StrictMode>
);
