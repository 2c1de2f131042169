import { lazy, Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import { Skeleton } from '#steps/kit/Skeleton.tsx';
import { chunk } from '#steps/kit/chunk.ts';
import { ConsoleProvider } from './console.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Home } from './Home.tsx';
import { NotFound } from './NotFound.tsx';
import { Shell } from './Shell.tsx';

const StepHost = lazy(() => chunk(async () => ({ default: (await import('./StepHost.tsx')).StepHost })));
const MapPage = lazy(() => chunk(async () => ({ default: (await import('./drawings/MapPage.tsx')).MapPage })));
const JourneyPage = lazy(() =>
  chunk(async () => ({ default: (await import('./drawings/JourneyPage.tsx')).JourneyPage })),
);
const TimelinePage = lazy(() =>
  chunk(async () => ({ default: (await import('./workbench/TimelinePage.tsx')).TimelinePage })),
);
const WalksPage = lazy(() => chunk(async () => ({ default: (await import('./walks/WalksPage.tsx')).WalksPage })));
const LabPage = lazy(() => chunk(async () => ({ default: (await import('./lab/LabPage.tsx')).LabPage })));
const ProgramsPage = lazy(() =>
  chunk(async () => ({ default: (await import('./lab/ProgramsPage.tsx')).ProgramsPage })),
);

/** The console: the frame around the page at the current address. `facts` is their first reading, if it is under way. */
export function App({ facts }: { facts?: Promise<Facts> | undefined }) {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary>
      <ConsoleProvider first={facts}>
        <Shell>
          {/* If a page throws, the frame stays; navigating to another address resets it. */}
          <ErrorBoundary key={pathname}>
            <Suspense fallback={<Skeleton lines={6} />}>
              <Routes>
                <Route path="/" element={<Home />} />
                {journeyOrder.map((id) => (
                  <Route key={id} path={journeyOf(id).path} element={<StepHost id={id} />} />
                ))}
                <Route path="/journeys" element={<MapPage />} />
                <Route path="/journeys/:id" element={<JourneyPage />} />
                <Route path="/timeline" element={<TimelinePage />} />
                <Route path="/sandbox" element={<LabPage />} />
                <Route path="/programs" element={<ProgramsPage />} />
                <Route path="/run" element={<WalksPage />} />
                <Route path="*" element={<NotFound />} />
              </Routes>
            </Suspense>
          </ErrorBoundary>
        </Shell>
      </ConsoleProvider>
    </ErrorBoundary>
  );
}
