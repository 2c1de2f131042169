import { Route, Routes, useLocation } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import { Skeleton } from '#steps/kit/Skeleton.tsx';
import { part } from '#steps/kit/part.tsx';
import { ConsoleProvider } from './console.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Home } from './Home.tsx';
import { NotFound } from './NotFound.tsx';
import { Shell } from './Shell.tsx';

const Loading = () => <Skeleton lines={6} />;
const StepHost = part(async () => (await import('./StepHost.tsx')).StepHost, Loading);
const MapPage = part(async () => (await import('./drawings/MapPage.tsx')).MapPage, Loading);
const JourneyPage = part(async () => (await import('./drawings/JourneyPage.tsx')).JourneyPage, Loading);
const TimelinePage = part(async () => (await import('./workbench/TimelinePage.tsx')).TimelinePage, Loading);
const WalksPage = part(async () => (await import('./walks/WalksPage.tsx')).WalksPage, Loading);
const LabPage = part(async () => (await import('./lab/LabPage.tsx')).LabPage, Loading);
const ProgramsPage = part(async () => (await import('./lab/ProgramsPage.tsx')).ProgramsPage, Loading);

/**
 * The console: the frame around the page at the current address. `facts` is their first reading, if already in
 * progress.
 */
export function App({ facts }: { facts?: Promise<Facts> | undefined }) {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary>
      <ConsoleProvider first={facts}>
        <Shell>
          {/* If a page throws, the frame stays; navigation to another address resets the boundary. */}
          <ErrorBoundary key={pathname}>
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
          </ErrorBoundary>
        </Shell>
      </ConsoleProvider>
    </ErrorBoundary>
  );
}
