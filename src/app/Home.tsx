import { Box, Grid, Link, Text } from '@chakra-ui/react';
import { lazy, Suspense } from 'react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { ahead, part } from '#steps/kit/part.tsx';
import { chunk } from '#steps/kit/chunk.ts';
import { GuidedAwaited, LastCallsAwaited, WorkspaceAwaited } from './Awaited.tsx';
import { useConsole, useFacts, useSend } from './console.tsx';
import { PageHeading } from './PageHeading.tsx';
import { useInBrowser } from './useInBrowser.ts';

// Rendered once the facts are loaded; requested at the same time as they are.
const Guided = ahead(async () => (await import('./Guided.tsx')).Guided, GuidedAwaited);
const Workspace = ahead(async () => (await import('./Workspace.tsx')).Workspace, WorkspaceAwaited);
const LastCalls = ahead(async () => (await import('./LastCalls.tsx')).LastCalls, LastCallsAwaited);
// Not needed for the first render, but requested immediately: the server may be unreachable when it is needed.
const FailurePanel = ahead(async () => (await import('#steps/kit/FailurePanel.tsx')).FailurePanel);
const ServiceDown = part(async () => (await import('./ServiceDown.tsx')).ServiceDown);
const SetAside = part(async () => (await import('./SetAside.tsx')).SetAside);
// Part of the page rendered at build time, which waits for it.
const UsageNotes = lazy(() => chunk(async () => ({ default: (await import('./UsageNotes.tsx')).UsageNotes })));
const Made = part(
  async () => (await import('./Made.tsx')).Made,
  () => <Box minHeight="11" />,
);

/**
 * A single element: if it rendered again before its code has loaded, a placeholder would replace the prerendered notes.
 */
const usageNotes = (
  <Suspense fallback={<Box height="6" />}>
    <UsageNotes />
  </Suspense>
);

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
      <Box display="grid" gap="6" gridTemplateColumns="minmax(0, 1fr)">
        <div>
          <PageHeading title="Home">From nothing to a paid batch</PageHeading>
          <Text color="fg.muted" pt="1">
            Try a payments-out and open-banking API step by step. This is an unsupported sample and comes without
            guarantee.
          </Text>
        </div>
        {made && <Made id={made} />}
        {failure && <FailurePanel problem={failure} retry="reads" onRetry={refresh} />}
        {facts?.unreadBecause && !failure && <ServiceDown facts={facts} onRetry={refresh} />}
        {facts && facts.setAside.total > 0 && <SetAside {...facts.setAside} />}
        {facts ? <Guided facts={facts} /> : reading && <GuidedAwaited />}
      </Box>
      <Box display="grid" gap="4" gridTemplateColumns="minmax(0, 1fr)">
        {facts ? <Workspace /> : reading && <WorkspaceAwaited />}
        {facts ? <LastCalls /> : reading && <LastCallsAwaited />}
      </Box>
      <Box fontSize="sm" gridColumn="1 / -1" position="relative">
        {usageNotes}
        <Link asChild position="absolute" top="0" insetInlineEnd="0">
          <RouterLink to="/journeys">Map of all journeys</RouterLink>
        </Link>
      </Box>
    </Grid>
  );
}
