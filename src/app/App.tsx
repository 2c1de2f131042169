import { lazy, Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import { Skeleton } from '#steps/kit/Skeleton.tsx';
import { chunk } from '#steps/kit/chunk.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { FactsProvider } from './facts.tsx';
import { Home } from './Home.tsx';
import { NotFound } from './NotFound.tsx';
import { pages } from './pages.ts';
import { Shell } from './Shell.tsx';

/** A page for each journey, loaded when it is first opened: host, live machine and step together. */
const routes = journeyOrder.map((id) => {
  const Page = lazy(() =>
    chunk(async () => {
      const [{ StepHost }, live, { default: Step }] = await Promise.all([
        import('./StepHost.tsx'),
        pages[id].live(),
        pages[id].step(),
      ]);
      return { default: () => <StepHost id={id} live={live} Step={Step} /> };
    }),
  );
  return { id, path: journeyOf(id).path, Page };
});

const MapPage = lazy(() => chunk(async () => ({ default: (await import('./drawings/MapPage.tsx')).MapPage })));
const JourneyPage = lazy(() =>
  chunk(async () => ({ default: (await import('./drawings/JourneyPage.tsx')).JourneyPage })),
);

/** The console: its frame and the page at the address. */
export function App() {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary>
      <FactsProvider>
        <Shell>
          {/* A page that dies leaves the frame standing, and another address makes a fresh start. */}
          <ErrorBoundary key={pathname}>
            <Suspense fallback={<Skeleton lines={6} />}>
              <Routes>
                <Route path="/" element={<Home />} />
                {routes.map(({ id, path, Page }) => (
                  <Route key={id} path={path} element={<Page />} />
                ))}
                <Route path="/journeys" element={<MapPage />} />
                <Route path="/journeys/:id" element={<JourneyPage />} />
                <Route path="*" element={<NotFound />} />
              </Routes>
            </Suspense>
          </ErrorBoundary>
        </Shell>
      </FactsProvider>
    </ErrorBoundary>
  );
}
