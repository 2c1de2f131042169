import { importWithRetry } from '#app/client/importWithRetry.ts';
import { lazyRoute } from '#app/frame/lazyRoute.tsx';
import { StepPlaceholder } from '#app/frame/StepPlaceholder.tsx';
import { placeholderOf } from '#app/frame/ToolHeading.tsx';
import { BatchesSkeleton, HeroSkeleton, LastHourSkeleton, PracticeSkeleton } from './frame/homeSkeletons.tsx';

/** The pages beside the home page, each in a chunk that also holds what belongs to it. */

export const JourneyPage = lazyRoute(
  async () => (await import('#app/journey/StepHost.tsx')).JourneyPage,
  StepPlaceholder,
);
export const MapPage = lazyRoute(async () => (await import('#app/charts/MapPage.tsx')).MapPage);
export const ChartPage = lazyRoute(async () => (await import('#app/charts/ChartPage.tsx')).ChartPage);
export const TimelinePage = lazyRoute(
  async () => (await import('#app/tools/timeline/TimelinePage.tsx')).TimelinePage,
  placeholderOf('/timeline'),
);
export const LabPage = lazyRoute(
  async () => (await import('#app/tools/lab/LabPage.tsx')).LabPage,
  placeholderOf('/sandbox'),
);
export const ProgramsPage = lazyRoute(
  async () => (await import('#app/tools/lab/ProgramsPage.tsx')).ProgramsPage,
  placeholderOf('/programs'),
);
export const RunsPage = lazyRoute(
  async () => (await import('#app/tools/lab/RunsPage.tsx')).RunsPage,
  placeholderOf('/run'),
);

export const ReferencePage = lazyRoute(
  async () => (await import('#app/tools/description/ReferencePage.tsx')).ReferencePage,
  placeholderOf('/reference'),
);
export const DriftPage = lazyRoute(
  async () => (await import('#app/tools/description/DriftPage.tsx')).DriftPage,
  placeholderOf('/drift'),
);

/** Regions of other pages that only some users open. */

const nothing = () => null;
/** The contents of the palette's dialog. */
export const Palette = lazyRoute(async () => (await import('./frame/palette/Palette.tsx')).Palette);
/** The timeline docked above the status bar. */
export const Dock = lazyRoute(async () => (await import('#app/tools/timeline/Dock.tsx')).Dock, nothing, true);
/** The bar of a run in progress. */
export const RunBar = lazyRoute(async () => (await import('#app/tools/lab/RunBar.tsx')).RunBar, nothing, true);
/** What the fault lab is doing, while it does anything. */
export const LabStanding = lazyRoute(
  async () => (await import('#app/tools/lab/LabStanding.tsx')).LabStanding,
  nothing,
  true,
);
/** The entries of the sandbox's menu, and the dialog that opens a situation file. */
export const SandboxControls = lazyRoute(
  async () => (await import('#app/tools/lab/SandboxControls.tsx')).SandboxControls,
  nothing,
  true,
);
export const OpenSituation = lazyRoute(
  async () => (await import('#app/tools/lab/OpenSituation.tsx')).OpenSituation,
  nothing,
  true,
);
/** What the home page says while the service does not respond. */
export const ServiceDown = lazyRoute(async () => (await import('./home/ServiceDown.tsx')).ServiceDown, nothing, true);
/** The finished home page: what was paid last, and the plots. */
export const PathCompleted = lazyRoute(
  async () => (await import('./home/overview/overviewParts.ts')).PathCompleted,
  HeroSkeleton,
);
export const Batches = lazyRoute(
  async () => (await import('./home/overview/overviewParts.ts')).Batches,
  BatchesSkeleton,
  true,
);
export const LastHour = lazyRoute(
  async () => (await import('./home/overview/overviewParts.ts')).LastHour,
  LastHourSkeleton,
  true,
);
/** The matrix of failures on the finished home page. */
export const PractiseFailures = lazyRoute(
  async () => (await import('#app/tools/lab/PractiseFailures.tsx')).PractiseFailures,
  PracticeSkeleton,
  true,
);

/** Loads the code that simulates a failure. */
export const loadSimulation = async () =>
  (await importWithRetry(() => import('#app/tools/lab/rehearsals.ts'))).simulateFailure;
