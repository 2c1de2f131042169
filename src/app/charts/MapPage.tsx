import { Box, chakra, Link, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import { journeyOf, journeyOrder, nameOf, type JourneyId } from '#machines/journeys.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { withShortIds } from '#rules/shortId.ts';
import { Badge } from '#ui/Badge.tsx';
import { useConsole, useFacts, useReadAgain } from '../console/ConsoleProvider.tsx';
import { PageHeading } from '../frame/PageHeading.tsx';
import { Drawing, Legend } from './Drawing.tsx';
import { journeyMap } from './layouts.ts';
import { MapDrawing, journeyStatusOf } from './MapDrawing.tsx';
import { Stack } from '#ui/surfaces.tsx';

const chartAddress = (id: JourneyId): string => `/journeys/${id}`;

function Row({ id, facts }: { id: JourneyId; facts: Facts | null }) {
  const { path, summary } = journeyOf(id);
  const standing = facts && journeyStatusOf(id, facts);
  return (
    <Box
      as="li"
      display="grid"
      gridTemplateColumns={{ base: '1fr auto', md: '14rem 6rem minmax(0, 1fr) auto' }}
      columnGap="4"
      alignItems="baseline"
      py="1.5"
      borderBottomWidth="1px"
    >
      <Link asChild fontWeight="medium" minHeight="6">
        <RouterLink to={path}>{nameOf(id)}</RouterLink>
      </Link>
      <span>{standing && <Badge tone={standing.tone}>{standing.word}</Badge>}</span>
      <Box
        gridColumn={{ base: '1 / -1', md: 'auto' }}
        color="fg.muted"
        fontSize="sm"
        overflowWrap="anywhere"
        title={standing?.explanation}
      >
        {standing ? withShortIds(standing.explanation) : summary}
      </Box>
      <Link asChild fontSize="sm" minHeight="6">
        <RouterLink to={chartAddress(id)} aria-label={`Chart of ${nameOf(id)}`}>
          Chart
        </RouterLink>
      </Link>
    </Box>
  );
}

/** The map of the journeys, marked by the facts. */
function JourneyMap({ facts }: { facts: Facts | null }) {
  const link = (id: JourneyId, children: ReactNode) => (
    <RouterLink
      to={chartAddress(id)}
      aria-label={`${nameOf(id)}${facts ? `, ${journeyStatusOf(id, facts).word}` : ''}: chart`}
    >
      {children}
    </RouterLink>
  );
  return (
    <MapDrawing
      map={journeyMap}
      link={link}
      {...(facts && { standing: (id: JourneyId) => journeyStatusOf(id, facts) })}
    />
  );
}

/** /journeys: the map of all journeys with their states (done, open, blocked), and the same as a list. */
export function MapPage() {
  const facts = useFacts();
  const failure = useConsole(({ context }) => context.failure);
  const again = useReadAgain();
  return (
    <Stack gap="4">
      <div>
        <PageHeading>Map of the journeys</PageHeading>
        <Text color="fg.muted" maxWidth="measure">
          All journeys and their order. Select one to open its chart.
        </Text>
      </div>
      {failure && <FailurePanel problem={failure} {...again} />}
      {/* The map is fitted to the width; if that is too narrow to read, only the list is shown. */}
      <Stack
        gap="2"
        css={{
          '@media (max-width: 699px)': { display: 'none' },
          '& svg': { width: '100% !important', height: 'auto' },
        }}
      >
        <Drawing label="Map of the journeys" maxHeight="none">
          <JourneyMap facts={facts} />
        </Drawing>
        <Legend>
          A solid arrow is a gate: the later journey requires the earlier one. A dashed arrow is a recommended order.
        </Legend>
      </Stack>
      {/* A row's height depends on what the facts say of it. */}
      {facts || failure ? (
        <chakra.ol listStyleType="none" aria-label="Journeys and their states">
          {journeyOrder.map((id) => (
            <Row key={id} id={id} facts={facts} />
          ))}
        </chakra.ol>
      ) : (
        <Skeleton lines={10} />
      )}
    </Stack>
  );
}
