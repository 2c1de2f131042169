import { Box, chakra, Link, Text } from '@chakra-ui/react';
import { useState, type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { counted } from '#rules/counted.ts';
import { sentenceOf } from '#rules/faultSentence.ts';
import type { KeptRule } from '#contract/controlShapes.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { primaryMark } from '#ui/Bar.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { FirstView } from '#ui/EmptyState.tsx';
import { Way } from '#ui/Way.tsx';
import { weekdayText } from '#ui/dates.ts';
import { Stack } from '#ui/surfaces.tsx';
import { Time, timeText } from '#ui/Time.tsx';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { useResource } from '#app/console/useResource.ts';
import { differenceRows, isDifference, type DriftRow, type DifferenceRow } from '#app/effects/description.ts';
import { ListState } from '../lab/ListState.tsx';
import { ToolHeading } from '#app/frame/ToolHeading.tsx';
import { MakeFault, effectWords } from '../timeline/MakeFault.tsx';

const columns = [
  {
    id: 'call',
    title: 'Operation',
    text: ({ call, path }: DifferenceRow) => `${call} ${path}`,
    cell: ({ call, path, entry }: DifferenceRow) => (
      <Box whiteSpace="normal">
        <Link asChild>
          <RouterLink to={`/timeline?${new URLSearchParams({ entry }).toString()}`}>{call}</RouterLink>
        </Link>
        <Box
          as="span"
          translate="no"
          display="block"
          fontFamily="mono"
          fontSize="xs"
          color="fg.muted"
          overflowWrap="anywhere"
        >
          {path}
        </Box>
      </Box>
    ),
  },
  { id: 'expected', title: 'Expected', text: ({ expected }: DifferenceRow) => expected },
  { id: 'came', title: 'Received', text: ({ came }: DifferenceRow) => came },
  {
    id: 'times',
    title: 'Times',
    text: ({ times }: DifferenceRow) => String(times),
    order: ({ times }: DifferenceRow) => times,
    figures: true,
  },
  {
    id: 'last',
    title: 'Last',
    text: ({ last }: DifferenceRow) => timeText(last),
    order: ({ last }: DifferenceRow) => Date.parse(last),
    cell: ({ last }: DifferenceRow) => <Time at={last} />,
  },
  { id: 'effect', title: 'The console', text: ({ effect }: DifferenceRow) => effectWords[effect] },
] as const;

/** How many differences there are since when, of how many answers, and what was not compared. */
function Summary({ rows, children }: { rows: readonly DriftRow[]; children: ReactNode }) {
  const about = rows.find((row) => !isDifference(row));
  if (!about || isDifference(about)) return null;
  const { compared, since, left } = about;
  const differences = rows.length - 1;
  const what = counted(compared, 'response or webhook', 'responses and webhooks');
  const says =
    compared === 0
      ? 'Nothing was compared: the timeline has no responses of the service yet.'
      : differences === 0
        ? `${what} since ${weekdayText(new Date(since))} match the description.`
        : `${counted(differences, 'difference')} from the description since ${weekdayText(new Date(since))}, in ${what}.`;
  return (
    <FirstView
      way={
        <Way
          label="The description of the service beside its responses."
          places={[{ title: 'Description' }, { title: 'Responses' }]}
          legs={[compared === 0 ? {} : { sign: differences === 0 ? 'done' : 'differs' }]}
        />
      }
      says={<div role="status">{says}</div>}
    >
      {children}
      {left.length > 0 && (
        <chakra.details width="full" fontSize="sm" color="fg.muted">
          <chakra.summary cursor="pointer" minHeight="6" mx="auto" width="fit-content">
            {left.length} not compared
          </chakra.summary>
          {left.map((sentence) => (
            <Text key={sentence} overflowWrap="anywhere">
              {sentence}
            </Text>
          ))}
        </chakra.details>
      )}
    </FirstView>
  );
}

/** The fault that was set last. */
function Done({ rule }: { rule: KeptRule | null }) {
  return (
    <Text role="status" color="done">
      {rule && `Added. ${sentenceOf(rule)}.`}
    </Text>
  );
}

/** /drift: what the answers in the timeline differ in from the description of the service. */
export function DriftPage() {
  const isSandbox = useFacts()?.environment === 'sandbox';
  return <Differences key={String(isSandbox)} isSandbox={isSandbox} />;
}

function Differences({ isSandbox }: { isSandbox: boolean }) {
  const [machine] = useState(() => differenceRows(isSandbox));
  const list = useResource(machine);
  const rows = list.known ?? [];
  return (
    <Stack gap="5">
      <ToolHeading path="/drift" />
      {list.known && (
        <Summary rows={rows}>
          <ActButton variant="solid" actor={list.actor} act={{ type: 'reading.stale' }} {...primaryMark}>
            Refresh
          </ActButton>
        </Summary>
      )}
      <Done rule={list.result} />
      {list.known && (
        <DataTable
          caption={['difference', 'differences']}
          columns={columns}
          rows={rows.filter(isDifference)}
          rowKey={({ id }) => id}
          actions={(row) => <MakeFault actor={list.actor} row={row} isSandbox={isSandbox} />}
          empty={null}
          wraps
        />
      )}
      <ListState list={list} />
    </Stack>
  );
}
