import { Box, Grid, Link, Text } from '@chakra-ui/react';
import { useEffect } from 'react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { GuidedSkeleton, LastCallsSkeleton, WorkspaceSkeleton } from './homeSkeletons.tsx';
import { JourneyPage } from '../routes.ts';
import { UsageNotes } from './UsageNotes.tsx';
import { useConsole, useFacts, useSend } from '../console/console.tsx';
import { PageHeading } from '../shell/PageHeading.tsx';
import { useInBrowser } from '../shell/useInBrowser.ts';
import { Guided } from './Guided.tsx';
import { Workspace } from '../shell/Workspace.tsx';
import { LastCalls } from './LastCalls.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { ServiceDown } from '../shell/ServiceDown.tsx';
import { QuarantinedRecords } from './QuarantinedRecords.tsx';
import { CreatedBanner } from '../step/CreatedBanner.tsx';
import { Stack } from '#ui/surfaces.tsx';

/** How long (ms) the browser may delay loading the steps while it has other work. */
const idleTimeout = 5000;

/** Loads the code of the steps once the home page has nothing else to do. A failure shows when a step is opened. */
function usePrefetch(ready: boolean): void {
  useEffect(() => {
    if (!ready) return undefined;
    const prefetch = () => void JourneyPage.preload().catch(() => undefined);
    // Safari has no idle callbacks.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(prefetch, 0);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(prefetch, { timeout: idleTimeout });
    return () => cancelIdleCallback(idle);
  }, [ready]);
}

/**
 * The home page: guided path, workspace, last calls and usage notes. If the facts cannot be loaded, the other parts
 * stay usable (behaviour, section 10.2).
 */
export function Home() {
  const facts = useFacts();
  const failure = useConsole(({ context }) => context.failure);
  const reading = useConsole(({ context }) => context.reading);
  const { done } = (useLocation().state ?? {}) as { done?: string }; // only this program writes it
  const made = useInBrowser(() => done, undefined);
  const send = useSend();
  usePrefetch(!reading);
  const refresh = () => send({ type: 'facts.stale' });
  return (
    <Grid
      maxWidth="80rem"
      mx="auto"
      columnGap="8"
      rowGap={{ base: '8', lg: '4' }}
      alignItems="start"
      templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 22.5rem' }}
    >
      <Stack gap="6">
        <div>
          <PageHeading title="Home">From nothing to a paid batch</PageHeading>
          <Text color="fg.muted" pt="1">
            Try a payments-out and open-banking API step by step. This is an unsupported sample and comes without
            guarantee.
          </Text>
        </div>
        {made && <CreatedBanner id={made} />}
        {failure && <FailurePanel problem={failure} retry="reads" onRetry={refresh} />}
        {facts?.unreadBecause && !failure && <ServiceDown facts={facts} onRetry={refresh} />}
        {facts && facts.setAside.total > 0 && <QuarantinedRecords {...facts.setAside} />}
        {facts ? <Guided facts={facts} /> : reading && <GuidedSkeleton />}
      </Stack>
      <Stack gap="4">
        {facts ? <Workspace /> : reading && <WorkspaceSkeleton />}
        {facts ? <LastCalls /> : reading && <LastCallsSkeleton />}
      </Stack>
      <Box fontSize="sm" gridColumn="1 / -1" position="relative">
        <UsageNotes />
        <Link asChild position="absolute" top="0" insetInlineEnd="0">
          <RouterLink to="/journeys">Map of all journeys</RouterLink>
        </Link>
      </Box>
    </Grid>
  );
}
