import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import type { ActorRefFrom } from 'xstate';
import type { ProgramVerdict } from '#contract/programShapes.ts';
import { counted } from '#rules/counted.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { Badge } from '#ui/Badge.tsx';
import { minuteText } from '#ui/dates.ts';
import { Card } from '#ui/surfaces.tsx';
import type { verdict } from '../effects/verdict.ts';

export type VerdictActor = ActorRefFrom<typeof verdict>;
type Report = NonNullable<ProgramVerdict['report']>;
type FailedCheck = Report['checks'][number];
type Calls = Report['failed'][number]['calls'];

const timeOf = (at: string): string => `${at.slice(11, 23)}`;
const responseOf = ({ status, fault }: Calls[number]): string =>
  [status === 0 ? 'no response' : String(status), fault].filter(Boolean).join(', ');

/** Calls in their order, each in one line; below 800 px in two. */
const Evidence = ({ calls }: { calls: Calls }) => (
  <Box as="ol" listStyleType="none" fontFamily="mono" fontSize="xs" lineHeight="sm" color="fg.muted">
    {calls.map((call) => (
      <Flex as="li" key={call.number} columnGap="3" wrap="wrap">
        <span title={`${minuteText(new Date(call.at))}, UTC`}>{timeOf(call.at)}</span>
        <Box as="span" flex="1" minWidth="10rem" overflowWrap="anywhere">
          {call.method} {call.path}
          {call.key !== '' && ` · key ${call.key}`}
        </Box>
        <Box as="span" color={call.status === 0 || call.status >= 400 ? 'failed' : 'fg.muted'}>
          {responseOf(call)}
        </Box>
      </Flex>
    ))}
  </Box>
);

/** What was seen in one scenario: the sentences with their calls, all calls of the scenario, and the button that runs it. */
function Seen({
  actor,
  check,
  scenario,
}: {
  actor: VerdictActor;
  check: FailedCheck;
  scenario: Report['failed'][number];
}) {
  const blocked = actor.getSnapshot().context.verdict?.blocked ?? '';
  return (
    <Box display="grid" gap="2">
      {check.seen
        .filter((each) => each.scenario === scenario.id)
        .map(({ says, calls }) => (
          <Box key={says + calls.join()}>
            <Text overflowWrap="anywhere">
              {scenario.title}: {says}
            </Text>
            <Evidence calls={scenario.calls.filter(({ number }) => calls.includes(number))} />
          </Box>
        ))}
      <Flex gap="3" wrap="wrap" align="baseline">
        <ActButton
          size="sm"
          actor={actor}
          act={{ type: 'scenario.run', scenario: scenario.id }}
          blocked={blocked || 'A verification is running'}
          aria-label={`Run this scenario again: ${scenario.title}, for ${check.title}`}
        >
          Run this scenario again
        </ActButton>
        {blocked !== '' && (
          <Text color="fg.muted" fontSize="xs">
            {blocked}
          </Text>
        )}
      </Flex>
      <details>
        <chakra.summary color="fg.muted" cursor="pointer">
          The scenario’s {counted(scenario.calls.length, 'call')}
        </chakra.summary>
        <Evidence calls={scenario.calls} />
      </details>
    </Box>
  );
}

/** The checks that failed: what was seen, why it matters, and how to mend it. */
export function VerdictFailures({ actor, report }: { actor: VerdictActor; report: Report }) {
  const failed = report.checks.filter(({ verdict }) => verdict === 'failed');
  if (failed.length === 0) return null;
  return (
    <Card as="section" aria-label="Failed checks" p="0">
      {failed.map((check) => (
        <Box
          key={check.id}
          display="grid"
          gap="2"
          px="5"
          py="4"
          fontSize="sm"
          borderTopWidth="1px"
          _first={{ borderTopWidth: '0' }}
        >
          <Flex gap="3" wrap="wrap" align="baseline">
            <Badge tone="failed">Failed</Badge>
            <Heading as="h2" size="md" minWidth="0">
              {check.title}
            </Heading>
          </Flex>
          {report.failed
            .filter(({ id }) => check.seen.some(({ scenario }) => scenario === id))
            .map((scenario) => (
              <Seen key={scenario.id} actor={actor} check={check} scenario={scenario} />
            ))}
          <Text color="fg.muted">{check.why}</Text>
          <Text>
            <chakra.b fontWeight="medium">Mend</chakra.b> {check.mend}
          </Text>
        </Box>
      ))}
    </Card>
  );
}
