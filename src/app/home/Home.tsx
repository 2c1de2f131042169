import { Box, Grid, Link, Text, Heading } from '@chakra-ui/react';
import { Time } from '#ui/Time.tsx';
import { useEffect, useMemo } from 'react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { GuidedSkeleton, LastCallsSkeleton, WorkspaceSkeleton } from '../frame/homeSkeletons.tsx';
import { PendingRegion } from '../journey/pendingRegion.ts';
import {
  Batches,
  JourneyPage,
  LastHour,
  loadSimulation,
  Palette,
  PathCompleted,
  PractiseFailures,
  ServiceDown,
} from '../routes.ts';
import { UsageNotes } from './UsageNotes.tsx';
import { useConsole, useFacts, useIsReading, useReadAgain } from '../console/ConsoleProvider.tsx';
import { PageHeading } from '../frame/PageHeading.tsx';
import { useInBrowser } from '../frame/useInBrowser.ts';
import { Workspace } from './Workspace.tsx';
import { LastCalls } from './LastCalls.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Stack, Callout } from '#ui/surfaces.tsx';
import type { BatchRecord } from '#contract/batch.ts';
import type { Facts } from '#contract/facts.ts';
import { nextJourney, journeys, nameOf, type JourneyId } from '#machines/journeys.ts';
import { outcomeNow } from '#machines/outcome.ts';
import { GuidedHeader } from '../journey/GuidedHeader.tsx';
import { Phases } from './Phases.tsx';
import { phaseRows } from '../frame/phaseRows.ts';
import { own } from '#contract/member.ts';
import { counted } from '#rules/counted.ts';
import { guidedRows, outcomeText, type GuidedRow } from '../frame/guidedRows.ts';

/** The result of the previous step, as it is now: a batch or subscription may fail afterwards. The console's machine puts that step's id into the router's state. */
function CreatedBanner({ id }: { id: string }) {
  const facts = useFacts();
  const reading = useIsReading();
  if (!own(journeys, id)) return null;
  // Reserves the height of one line.
  if (!facts || reading) return <Box role="status" minHeight="9" />;
  const journey = id; // just checked
  const outcome = outcomeNow(journey, facts);
  return (
    <Callout role="status" tone={outcome} data-tone={outcome} size="sm" maxWidth="measure">
      <div>
        <strong>{nameOf(journey)}:</strong> {outcomeText(journey, facts)}.
      </div>
    </Callout>
  );
}

/** Reports the console's own records that could not be read, and the consequences. */
function QuarantinedRecords({ total, latest }: Facts['setAside']) {
  return (
    <Callout as="section" role="note" aria-label="Records that cannot be read" tone="failed">
      <Text maxWidth="measure">
        {total === 1 ? 'One record' : `${total} records`} of this console could not be read and{' '}
        {total === 1 ? 'was' : 'were'} quarantined: the file was changed or damaged. Before you pay again, compare with
        the service. To restore what was stored, stop the console and copy its file from a backup.
      </Text>
      <details>
        <summary>Records {total > latest.length && `(the latest ${latest.length})`}</summary>
        <Box as="ul" ps="5" fontSize="sm">
          {latest.map(({ kind, id, at }) => (
            <li key={`${kind} ${id} ${at}`}>
              <Text overflowWrap="anywhere">
                {kind} <bdi>{id}</bdi>, <Time at={at} exact />
              </Text>
            </li>
          ))}
        </Box>
      </details>
    </Callout>
  );
}

/** The guided path: the user's position, one button that continues there, and the phases. */
function Guided({ facts, next }: { facts: Facts; next: JourneyId }) {
  const phases = phaseRows(facts);
  return (
    <Stack as="section" aria-labelledby="guided-path" gap="6">
      <Heading as="h2" id="guided-path" srOnly>
        Guided path
      </Heading>
      <GuidedHeader facts={facts} rows={phases.flatMap((each) => each.rows)} next={next} />
      <Phases phases={phases} facts={facts} />
    </Stack>
  );
}

/** The steps of the finished path, on request. */
function Steps({ facts }: { facts: Facts }) {
  const phases = phaseRows(facts);
  return (
    <section aria-labelledby="guided-path">
      <Heading as="h2" id="guided-path" srOnly>
        Guided path
      </Heading>
      <details>
        <summary>All {counted(phases.flatMap((each) => each.rows).length, 'step')} of the guided path</summary>
        <Box pt="3">
          <Phases phases={phases} facts={facts} />
        </Box>
      </details>
    </section>
  );
}

/** What the page says of itself wherever it begins. */
const disclaimer = 'This is an unsupported sample without guarantee.';

const isBegun = ({ tone }: GuidedRow): boolean => tone === 'done' || tone === 'failed';

/** How long (ms) the browser may delay loading the steps while it has other work. */
const idleTimeout = 5000;

/** Loads the code of the steps and the palette once the home page has nothing else to do. A failure shows when they open. */
function usePrefetch(ready: boolean): void {
  useEffect(() => {
    if (!ready) return undefined;
    const prefetch = () => {
      for (const part of [JourneyPage, Palette]) void part.preload().catch(() => undefined);
    };
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
  const reading = useIsReading();
  const { done } = (useLocation().state ?? {}) as { done?: string }; // only this program writes it
  const made = useInBrowser(() => done, undefined);
  usePrefetch(!reading);
  const again = useReadAgain();
  const next = facts && nextJourney(facts);
  const batches = useMemo(() => (facts ? (JSON.parse(facts.settings.postedBatches) as BatchRecord[]) : []), [facts]); // the server assembles it by this shape
  const finished = facts && !next ? facts : null;
  return (
    <Grid
      columnGap="8"
      rowGap={{ base: '8', lg: '4' }}
      alignItems="start"
      templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 22.5rem' }}
    >
      {/* Both as high in each state, so that what is below stays where it is. */}
      <Box gridColumn="1 / -1" pb="2" minHeight={{ base: '10.75rem', md: '4.5rem' }}>
        {finished ? (
          <PathCompleted facts={finished} batches={batches} loadSimulation={loadSimulation} />
        ) : (
          <>
            <PageHeading title="Home">{facts ? 'From nothing to a paid batch' : 'Payments Out Console'}</PageHeading>
            <Text color="fg.muted" pt="1">
              {facts && guidedRows(facts).some(isBegun) ? '' : 'Try a payments-out and open-banking API step by step. '}
              {disclaimer}
            </Text>
          </>
        )}
      </Box>
      <Stack gap="6" alignContent="start" minHeight={{ lg: '29.25rem' }}>
        {made && <CreatedBanner id={made} />}
        {failure && <FailurePanel problem={failure} {...again} />}
        {facts?.unreadBecause && !failure && <ServiceDown facts={facts} />}
        {facts && facts.pendingPayments.length > 0 && <PendingRegion />}
        {facts && facts.setAside.total > 0 && <QuarantinedRecords {...facts.setAside} />}
        {finished ? (
          <>
            <Batches batches={batches} />
            <LastHour />
            <Steps facts={finished} />
          </>
        ) : facts && next ? (
          <Guided facts={facts} next={next} />
        ) : (
          reading && <GuidedSkeleton />
        )}
      </Stack>
      <Stack gap="4">
        {facts ? <Workspace /> : reading && <WorkspaceSkeleton />}
        {finished ? (
          finished.environment === 'sandbox' && <PractiseFailures />
        ) : facts ? (
          <LastCalls />
        ) : (
          reading && <LastCallsSkeleton />
        )}
      </Stack>
      <Box fontSize="sm" gridColumn="1 / -1" position="relative">
        <UsageNotes />
        <Link asChild position="absolute" top="0" insetInlineEnd="0">
          <RouterLink to="/journeys">Map of all journeys</RouterLink>
        </Link>
        {finished && (
          <Text color="fg.muted" pt="3">
            {disclaimer}
          </Text>
        )}
      </Box>
    </Grid>
  );
}
