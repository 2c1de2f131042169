import { Box, chakra, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import type { FaultRule } from '#contract/controlShapes.ts';
import { counted } from '#rules/counted.ts';
import { sentenceOf } from '#rules/faultSentence.ts';
import type { RowAct } from '#machines/lab/resources.ts';
import { ActButton, type Acting } from '#steps/kit/ActButton.tsx';
import { Badge } from '#ui/Badge.tsx';
import { Card } from '#ui/surfaces.tsx';
import { useNow } from '#ui/ticks.ts';
import { Time } from '#ui/Time.tsx';
import { useResource } from '#app/console/useResource.ts';
import { checkRows, type CheckRow } from '#app/effects/labForms.ts';
import { ListState } from './ListState.tsx';

function Mistakes({ seen, why, mend }: CheckRow) {
  return (
    <Box display="grid" gap="1" fontSize="sm" maxWidth="measure">
      {seen.map(({ says, calls }) => (
        <Box key={says + calls.map(({ number }) => number).join()}>
          <Text overflowWrap="anywhere">{says}:</Text>
          {calls.map(({ number, at, method, operation, status }) => (
            <Text key={number} color="fg.muted">
              Call {number}: {method} {operation}, {status === 0 ? 'no response' : `status ${status}`}, <Time at={at} />
            </Text>
          ))}
        </Box>
      ))}
      <Text color="fg.muted">{why}</Text>
      <Text>{mend}</Text>
    </Box>
  );
}

/** A fault that exercises a check, with the button that sets it. */
const Exercise = ({
  actor,
  row,
}: {
  actor: Acting<{ type: 'act' } & RowAct>;
  row: CheckRow & { exercise: FaultRule };
}) => (
  <chakra.li display="grid" gap="1" justifyItems="start">
    <Text>
      {row.title}: {sentenceOf(row.exercise)}.{row.isSet && ' This fault is set: run your app.'}
    </Text>
    <ActButton
      size="sm"
      actor={actor}
      act={{ type: 'act', id: row.id, act: 'exercise' }}
      blocked={row.may.includes('exercise') ? '' : 'This fault is set'}
      aria-label={`Set this fault: ${sentenceOf(row.exercise)}, for ${row.title}`}
    >
      Set this fault
    </ActButton>
  </chakra.li>
);

const hasExercise = (row: CheckRow): row is CheckRow & { exercise: FaultRule } => row.exercise !== null;

/** Time (ms) since its last call for which a program counts as calling. */
const calling = 10_000;

/** The checks of the calls of the user's programs at the embedded sandbox; nothing for another service. */
export function ChecksSection({ calls, lastAt }: { calls: number; lastAt: string }) {
  const list = useResource(checkRows);
  const rows = list.known ?? [];
  const now = useNow();
  if (list.known && rows.length === 0) return null;
  const judged = rows.filter(({ verifyOnly }) => !verifyOnly);
  const failed = judged.filter(({ verdict }) => verdict === 'failed');
  const faults = judged.filter(hasExercise);
  return (
    <Card as="section" aria-labelledby="program-verdicts" size="md" gap="3" fontSize="sm">
      <Flex gap="3" align="center" wrap="wrap">
        <Heading as="h2" size="md" id="program-verdicts">
          Live
        </Heading>
        {lastAt !== '' && now - Date.parse(lastAt) < calling && <Badge tone="waiting">calling now</Badge>}
      </Flex>
      {list.known && (
        <>
          <Text color="fg.muted">
            Every call to the sandbox is judged by {counted(judged.length, 'check')}.{' '}
            {calls > 0 && failed.length === 0 && `Nothing wrong in the last ${counted(calls, 'call')}.`}
          </Text>
          {failed.length > 0 && (
            <chakra.ul listStyleType="none" display="grid" gap="3" aria-label="Failed">
              {failed.map((row) => (
                <chakra.li key={row.id} display="grid" gap="1">
                  <Flex gap="2" wrap="wrap" align="baseline">
                    <Badge tone="failed">Failed</Badge>
                    <Text fontWeight="medium">{row.title}</Text>
                  </Flex>
                  <Mistakes {...row} />
                </chakra.li>
              ))}
            </chakra.ul>
          )}
          {faults.length > 0 && (
            <details>
              <chakra.summary cursor="pointer">Provoke a mistake: {counted(faults.length, 'fault')}</chakra.summary>
              <chakra.ul listStyleType="none" display="grid" gap="3" pt="2" aria-label="Faults">
                {faults.map((row) => (
                  <Exercise key={row.id} actor={list.actor} row={row} />
                ))}
              </chakra.ul>
            </details>
          )}
        </>
      )}
      <ListState list={list} />
      <Link asChild>
        <RouterLink to="/timeline?show=programs">Its calls in the timeline</RouterLink>
      </Link>
    </Card>
  );
}
