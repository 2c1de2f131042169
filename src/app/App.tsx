import { Route, Routes, useLocation } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import { ConsoleProvider } from './console/ConsoleProvider.tsx';
import { ErrorBoundary } from './frame/ErrorBoundary.tsx';
import { Home } from './home/Home.tsx';
import { NotFound } from './frame/NotFound.tsx';
import {
  ChartPage,
  DriftPage,
  JourneyPage,
  LabPage,
  MapPage,
  ProgramsPage,
  ReferencePage,
  RunsPage,
  TimelinePage,
} from './routes.ts';
import { Shell } from './frame/Shell.tsx';
import type { EmotionCache } from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { ChakraProvider } from '@chakra-ui/react';
import { StrictMode, type ReactNode } from 'react';
import { system } from './theme/system.ts';

/**
 * The console: the frame around the page at the current address. `facts` is their first reading, if already in
 * progress.
 */
function App({ facts }: { facts?: Promise<Facts> | undefined }) {
  const { pathname, search } = useLocation();
  const address = pathname + search;
  return (
    <ErrorBoundary shows={address}>
      <ConsoleProvider first={facts}>
        <Shell>
          {/* If a page throws, the frame stays; navigation to another address resets the boundary. */}
          <ErrorBoundary key={pathname} shows={address}>
            <Routes>
              <Route path="/" element={<Home />} />
              {journeyOrder.map((id) => (
                <Route key={id} path={journeyOf(id).path} element={<JourneyPage id={id} />} />
              ))}
              <Route path="/journeys" element={<MapPage />} />
              <Route path="/journeys/:id" element={<ChartPage />} />
              <Route path="/timeline" element={<TimelinePage />} />
              <Route path="/sandbox" element={<LabPage />} />
              <Route path="/programs" element={<ProgramsPage />} />
              <Route path="/run" element={<RunsPage />} />
              <Route path="/reference" element={<ReferencePage />} />
              <Route path="/drift" element={<DriftPage />} />
              <Route path="*" element={<NotFound />} />
            </Routes>
          </ErrorBoundary>
        </Shell>
      </ConsoleProvider>
    </ErrorBoundary>
  );
}

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
