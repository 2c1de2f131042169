import { Box, chakra, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { useEffect } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { ProgramCheck } from '#contract/programShapes.ts';
import { sentenceOf } from '#rules/faultSentence.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { Badge, type Tone } from '#ui/Badge.tsx';
import { Time } from '#ui/Time.tsx';
import { connection } from '../api/connection.ts';
import { publishRecordEvent, subscribeToRecord } from '../api/recordEvents.ts';
import { checkRows, type CheckRow } from '../effects/labForms.ts';
import { ListState } from './ListState.tsx';
import { Section } from './Section.tsx';
import { useRows, type RowsActor } from './useRows.ts';

/** The page's own id of news that a program has called. */
const programNews = 'programs';

/** Reads the checks again when the timeline has a new call of a program. */
function useCalls(actor: RowsActor): void {
  useEffect(() => {
    const entries = connection.on('entry', ({ entry }) => {
      if (entry.kind === 'program') publishRecordEvent(programNews);
    });
    const leave = subscribeToRecord(programNews, () => actor.send({ type: 'facts.stale' }));
    return () => {
      entries.unsubscribe();
      leave();
    };
  }, [actor]);
}

const verdicts = ['passed', 'failed', 'not exercised'] as const;
const tones: Readonly<Record<ProgramCheck['verdict'], Tone>> = {
  passed: 'done',
  failed: 'failed',
  'not exercised': 'idle',
};

const countOf = (rows: readonly CheckRow[]): string =>
  verdicts.map((each) => `${rows.filter(({ verdict }) => verdict === each).length} ${each}`).join(', ');

/** The checks under their headings: the failed ones first, the others by group. */
function groupsOf(rows: readonly CheckRow[]): [heading: string, rows: CheckRow[]][] {
  const headings = ['Failed', ...new Set(rows.map(({ group }) => group))];
  const headingOf = ({ verdict, group }: CheckRow) => (verdict === 'failed' ? 'Failed' : group);
  return headings
    .map((heading): [string, CheckRow[]] => [heading, rows.filter((row) => headingOf(row) === heading)])
    .filter(([, each]) => each.length > 0);
}

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

function NextStep({ row: { verifyOnly, exercise, isSet } }: { row: CheckRow }) {
  const text = verifyOnly
    ? 'Run verify to exercise it.'
    : exercise === null
      ? 'Call the service with your app to exercise it.'
      : `Fault that exercises it: ${sentenceOf(exercise)}.${isSet ? ' This fault is set: run your app.' : ''}`;
  return (
    <Text color="fg.muted" fontSize="sm" maxWidth="measure">
      {text}
    </Text>
  );
}

/** The checks of the calls of the user's programs at the embedded sandbox; nothing for another service. */
export function ChecksSection() {
  const { actor, isListed, rows } = useRows<CheckRow>(checkRows);
  useCalls(actor);
  if (isListed && rows.length === 0) return null;
  return (
    <Section
      id="program-verdicts"
      title={rows.length === 0 ? 'Checks' : `Checks: ${countOf(rows)}`}
      says="The latest 200 calls of your app to the sandbox are checked as they come in. Bodies of more than 32 kB are left out. After a pause of ten seconds, calls count as another run, and the latest run decides. Run one app at a time."
    >
      {isListed &&
        groupsOf(rows).map(([heading, each]) => (
          <Box key={heading}>
            <Heading as="h3" size="sm" pb="2">
              {heading}
            </Heading>
            <chakra.ul listStyleType="none" display="grid" gap="3" aria-label={heading}>
              {each.map((row) => (
                <chakra.li
                  key={row.id}
                  display="grid"
                  gridTemplateColumns={{ base: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) auto' }}
                  gap="3"
                  alignItems="start"
                >
                  <Box display="grid" gap="1">
                    <Flex gap="2" wrap="wrap" align="baseline">
                      <Badge tone={tones[row.verdict]}>{row.verdict}</Badge>
                      <Text fontWeight="medium">{row.title}</Text>
                    </Flex>
                    {row.verdict === 'failed' && <Mistakes {...row} />}
                    {row.verdict === 'not exercised' && <NextStep row={row} />}
                  </Box>
                  {row.exercise && (
                    <ActButton
                      size="sm"
                      actor={actor}
                      act={{ type: 'row.act', id: row.id, act: 'exercise' }}
                      blocked={row.may.includes('exercise') ? '' : 'This fault is set'}
                      aria-label={`Set this fault: ${sentenceOf(row.exercise)}, for ${row.title}`}
                    >
                      Set this fault
                    </ActButton>
                  )}
                </chakra.li>
              ))}
            </chakra.ul>
          </Box>
        ))}
      <ListState actor={actor} name="checks" />
      <Link asChild>
        <RouterLink to="/timeline?show=programs">Show the calls in the timeline</RouterLink>
      </Link>
    </Section>
  );
}
