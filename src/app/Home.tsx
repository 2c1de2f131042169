import { Box, Heading, Text } from '@chakra-ui/react';
import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router-dom';
import { journeys, nameOf, type JourneyId } from '#machines/journeys.ts';
import { chunk } from '#steps/kit/chunk.ts';
import { Skeleton } from '#steps/kit/Skeleton.tsx';
import { useConsole, useFacts, useSend } from './console.tsx';
import { resultOf } from './guidedRows.ts';
import { PageHeading } from './PageHeading.tsx';
import { TaskList } from './TaskList.tsx';

// Not needed for the first picture; asked for at once, as the server may be gone when it is needed.
const failurePanel = chunk(async () => ({ default: (await import('#steps/kit/FailurePanel.tsx')).FailurePanel }));
const FailurePanel = lazy(() => failurePanel);
const ServiceDown = lazy(() => chunk(async () => ({ default: (await import('./ServiceDown.tsx')).ServiceDown })));
const SetAside = lazy(() => chunk(async () => ({ default: (await import('./SetAside.tsx')).SetAside })));
const UsageNotes = lazy(() => chunk(async () => ({ default: (await import('./UsageNotes.tsx')).UsageNotes })));
const Workspace = lazy(() => chunk(async () => import('./Workspace.tsx')));

/** What the step that led here has made; the console's machine has its id put into the router's state. */
function useMade(): JourneyId | undefined {
  const { state } = useLocation() as { state: { done?: string } | null }; // only this program writes it
  return state?.done !== undefined && state.done in journeys ? (state.done as JourneyId) : undefined; // just checked
}

function Made() {
  const facts = useFacts();
  const reading = useConsole(({ context }) => context.reading);
  const made = useMade();
  if (!made || !facts || reading) return null;
  return (
    <Box role="status" p="3" bg="done.subtle" borderInlineStartWidth="4px" borderColor="done" maxWidth="measure">
      <strong>{nameOf(made)}:</strong> {resultOf(made, facts)}.
    </Box>
  );
}

/** The home page: guided path and usage notes. Without facts the rest stays usable (behaviour, section 10.2). */
export function Home() {
  const facts = useFacts();
  const failure = useConsole(({ context }) => context.failure);
  const reading = useConsole(({ context }) => context.reading);
  const send = useSend();
  const refresh = () => send({ type: 'facts.stale' });
  return (
    <Box display="grid" gap="8">
      <div>
        <PageHeading title="Home">From nothing to a paid batch</PageHeading>
        <Text color="fg.muted" maxWidth="measure" pt="1">
          Try a payments-out and open-banking API step by step. This is an unsupported sample and comes without
          guarantee.
        </Text>
      </div>
      <Made />
      <Suspense>{failure && <FailurePanel problem={failure} onRetry={refresh} />}</Suspense>
      {facts?.unreadBecause && !failure && (
        <Suspense>
          <ServiceDown facts={facts} onRetry={refresh} />
        </Suspense>
      )}
      <Suspense>{facts && facts.setAside.total > 0 && <SetAside {...facts.setAside} />}</Suspense>
      <Box as="section" aria-labelledby="guided-path">
        <Heading as="h2" id="guided-path" size="xl" pb="3">
          Guided path
        </Heading>
        {facts ? <TaskList facts={facts} /> : reading && <Skeleton lines={12} />}
      </Box>
      <Suspense>{facts && <Workspace />}</Suspense>
      <Suspense>
        <UsageNotes />
      </Suspense>
    </Box>
  );
}
