import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import type { ProgramVerdict } from '#contract/programShapes.ts';
import { counted } from '#rules/counted.ts';
import { faultTitle } from '#rules/lab.ts';
import { Badge } from '#ui/Badge.tsx';
import { minuteText } from '#ui/dates.ts';
import { Card } from '#ui/surfaces.tsx';
import { CopyableText } from './CopyableText.tsx';

type Report = NonNullable<ProgramVerdict['report']>;
type FailedCheck = Report['checks'][number];
type Calls = Report['failed'][number]['calls'];

const timeOf = (at: string): string => `${at.slice(11, 23)}`;

/** "201", "201, Webhook lost", "Response lost". */
function responseOf({ status, fault }: Calls[number]): string {
  const title = fault && faultTitle(fault);
  if (status === 0) return title || 'No response';
  return [status, title].filter(Boolean).join(', ');
}

const Summary = chakra('summary', { base: { color: 'fg.muted', cursor: 'pointer', minHeight: '6' } });

/** Calls in their order, each in one line; below 800 px in two. */
const Evidence = ({ calls }: { calls: Calls }) => (
  <Box as="ol" translate="no" listStyleType="none" fontFamily="mono" fontSize="xs" lineHeight="sm" color="fg.muted">
    {calls.map((call) => (
      <Flex as="li" key={call.number} columnGap="3" wrap="wrap">
        <span title={`${minuteText(new Date(call.at))}, UTC`}>{timeOf(call.at)}</span>
        <Box as="span" flex="1" minWidth="10rem" overflowWrap="anywhere">
          {call.method} {call.path}
          {call.key !== '' && ` · key ${call.key}`}
        </Box>
        <Box as="span" ms="auto" color={call.status === 0 || call.status >= 400 ? 'failed' : 'fg.muted'}>
          {responseOf(call)}
        </Box>
      </Flex>
    ))}
  </Box>
);

/** What one scenario has shown of a check. */
interface Found {
  scenario: Report['failed'][number];
  /** Each sentence once, with the calls of all findings of which it is said. */
  seen: { says: string; calls: number[] }[];
}

/** The findings of a check by scenario, in the order of the report. */
function foundOf({ seen }: FailedCheck, { failed }: Report): Found[] {
  return failed.flatMap((scenario) => {
    const bySentence = new Map<string, Set<number>>();
    for (const { says, calls } of seen.filter((each) => each.scenario === scenario.id))
      bySentence.set(says, new Set([...(bySentence.get(says) ?? []), ...calls]));
    if (bySentence.size === 0) return [];
    return [{ scenario, seen: [...bySentence].map(([says, calls]) => ({ says, calls: [...calls] })) }];
  });
}

/** The findings that say something new, and those that only repeat what an earlier one has said. */
function withoutRepeats(all: readonly Found[]): { telling: Found[]; repeats: Found[] } {
  const said = new Set<string>();
  const [telling, repeats]: [Found[], Found[]] = [[], []];
  for (const found of all) {
    (found.seen.every(({ says }) => said.has(says)) ? repeats : telling).push(found);
    for (const { says } of found.seen) said.add(says);
  }
  return { telling, repeats };
}

/** The command that runs this scenario alone; null where the verification's own command is not known. */
export type CommandOf = (scenario: string) => string | null;

/** What was seen in one scenario: the sentences with their calls, and the command that runs it again. */
function Seen({ commandOf, found: { scenario, seen } }: { commandOf: CommandOf; found: Found }) {
  const command = commandOf(scenario.id);
  return (
    <Box display="grid" gap="2">
      {seen.map(({ says, calls }) => (
        <Box key={says}>
          <Text overflowWrap="anywhere">
            {scenario.title}: {says}
          </Text>
          <Evidence calls={scenario.calls.filter(({ number }) => calls.includes(number))} />
        </Box>
      ))}
      <chakra.details>
        <Summary>Run this scenario again</Summary>
        {command === null ? (
          <Text fontSize="xs">
            The command contains a secret, so it is not stored: add <code>--only {scenario.id}</code> to yours.
          </Text>
        ) : (
          <CopyableText text={command} what={`the command for ${scenario.title}`} />
        )}
      </chakra.details>
      <chakra.details>
        <Summary>All {counted(scenario.calls.length, 'call')} of the scenario</Summary>
        <Evidence calls={scenario.calls} />
      </chakra.details>
    </Box>
  );
}

/** A check that failed: what was seen, why it matters, and how to mend it, or why it may fail. */
function Failed({ commandOf, check, report }: { commandOf: CommandOf; check: FailedCheck; report: Report }) {
  const { telling, repeats } = withoutRepeats(foundOf(check, report));
  const list = (all: readonly Found[]) =>
    all.map((found) => <Seen key={found.scenario.id} commandOf={commandOf} found={found} />);
  return (
    <Box display="grid" gap="2" px="5" py="4" fontSize="sm" borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
      <Flex gap="3" wrap="wrap" align="baseline">
        <Badge tone={check.allowed === '' ? 'failed' : 'idle'}>
          {check.allowed === '' ? 'Failed' : 'Failed, as is allowed'}
        </Badge>
        <Heading as="h2" size="md" minWidth="0">
          {check.title}
        </Heading>
      </Flex>
      {check.allowed !== '' && <Text overflowWrap="anywhere">Allowed: {check.allowed}</Text>}
      {list(telling)}
      {repeats.length > 0 && (
        <details>
          <Summary>The same in {counted(repeats.length, 'other scenario')}</Summary>
          <Box display="grid" gap="3" pt="2">
            {list(repeats)}
          </Box>
        </details>
      )}
      <Text color="fg.muted">{check.why}</Text>
      <Text>
        <chakra.b fontWeight="semibold">Mend:</chakra.b> {check.mend}
      </Text>
    </Box>
  );
}

/** The checks that failed; last those that may. */
export function VerdictFailures({ commandOf, report }: { commandOf: CommandOf; report: Report }) {
  const failed = report.checks.filter(({ verdict }) => verdict === 'failed');
  if (failed.length === 0) return null;
  return (
    <Card as="section" aria-label="Failed checks" p="0">
      {failed
        .toSorted((a, b) => Number(a.allowed !== '') - Number(b.allowed !== ''))
        .map((check) => (
          <Failed key={check.id} commandOf={commandOf} check={check} report={report} />
        ))}
    </Card>
  );
}
