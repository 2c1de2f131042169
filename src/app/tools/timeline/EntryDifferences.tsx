import { Flex, Link, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { TimelineEntry } from '#contract/timeline.ts';
import { Code } from '#ui/Code.tsx';
import { Callout, Stack } from '#ui/surfaces.tsx';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { useResource } from '#app/console/useResource.ts';
import { differenceRows, isDifference } from '#app/effects/description.ts';
import { effectWords, MakeFault } from './MakeFault.tsx';

function Listed({ entry, isSandbox }: { entry: TimelineEntry; isSandbox: boolean }) {
  const [machine] = useState(() => differenceRows(isSandbox, entry.id));
  const { actor, known, done } = useResource(machine);
  const differences = (known ?? []).filter(isDifference);
  if (differences.length === 0) return null;
  return (
    <Callout tone="waiting" size="sm" as="section" aria-label="Differences from the description" mx="5">
      <Stack gap="2" fontSize="sm">
        <Text>
          Not as{' '}
          <Link asChild>
            <RouterLink to="/drift">the description</RouterLink>
          </Link>{' '}
          says:
        </Text>
        {differences.map((row) => (
          <Flex key={row.id} gap="3" wrap="wrap" align="center" overflowWrap="anywhere">
            <Text flex="1 1 16rem">
              {row.path && <Code>{row.path} </Code>}
              expected {row.expected}, received {row.came}. {effectWords[row.effect]}.
            </Text>
            <MakeFault actor={actor} row={row} isSandbox={isSandbox} />
          </Flex>
        ))}
        <Text role="status" color="done">
          {done && 'Set as a fault: the sandbox now responds so each time.'}
        </Text>
      </Stack>
    </Callout>
  );
}

/** What of an entry's response, or of a webhook, differs from the description; nothing if it is as described. */
export function EntryDifferences({ entry }: { entry: TimelineEntry }) {
  const environment = useFacts()?.environment;
  if (entry.kind === 'call' || !environment) return null;
  return <Listed key={`${entry.id} ${environment}`} entry={entry} isSandbox={environment === 'sandbox'} />;
}
