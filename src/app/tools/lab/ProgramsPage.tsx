import { Box, Flex, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { FollowedVerdict } from '#machines/lab/resources.ts';
import { retrying } from '#machines/lib/retry.ts';
import { counted } from '#rules/counted.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Eyebrow, PageHeading } from '#app/frame/PageHeading.tsx';
import { CardSkeleton } from '#app/frame/ToolHeading.tsx';
import { serverMeta } from '#app/client/serverMeta.ts';
import { useResource, useRunning } from '#app/console/useResource.ts';
import { programs, tokenNews, verdict } from '#app/effects/programs.ts';
import { ChecksSection } from './ChecksSection.tsx';
import { ConnectCard, ConnectSkeleton } from './ConnectCard.tsx';
import { ConnectProgram } from './ConnectProgram.tsx';
import { CopyableText } from './CopyableText.tsx';
import { ProgramTokens } from './ProgramTokens.tsx';
import { VerdictFailures } from './VerdictFailures.tsx';
import { VerdictGroups, VerdictHistory } from './VerdictGroups.tsx';
import { Badge } from '#ui/Badge.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { Time } from '#ui/Time.tsx';

type Report = NonNullable<FollowedVerdict['report']>;

/**
 * The command that checks a program, as the server says it; of a page that it did not write, in a checkout. `options` are
 * words of a shell.
 */
function commandWith(program: string, options = ''): string {
  const own = [options, '--', program].filter(Boolean).join(' ');
  const served = serverMeta('verify');
  return served ? served.replace(/-- .*$/, () => own) : `npm run verify ${options && '-- '}${own}`;
}

/** The command that works here, for the program that was verified last unless its command has a secret. */
const commandFor = (report: Report | null): string =>
  commandWith(report && report.again !== null ? report.command : 'node your-app.mjs');

/** The command that runs one scenario again as it ran; null if it has a secret. */
const commandOfScenario = ({ command, again }: Report, scenario: string): string | null =>
  again === null ? null : commandWith(command, `${again} --only ${scenario}`.trim());

/** "2 of 9 checks failed" of those exercised; what may fail is not counted. */
function Count({ checks }: { checks: Report['checks'] }) {
  const counting = checks.filter(
    ({ verdict, allowed }) => verdict !== 'not exercised' && !(verdict === 'failed' && allowed),
  );
  const failed = counting.filter(({ verdict }) => verdict === 'failed').length;
  return (
    <Badge tone={failed > 0 ? 'failed' : 'done'}>
      {failed > 0
        ? `${failed} of ${counted(counting.length, 'check')} failed`
        : `${counted(counting.length, 'check')} passed`}
    </Badge>
  );
}

/** How much was judged: of a part of the scenarios, or after some of them ran again, no duration stands for all. */
function extentOf({ scenarios, latest, all, ms }: Report): string {
  const ran = scenarios < all ? `${scenarios} of ${counted(all, 'scenario')}` : counted(scenarios, 'scenario');
  if (latest < scenarios) return `${ran}, ${latest} of them again`;
  return `${ran}, ${Math.max(1, Math.round(ms / 1000))} s`;
}

/**
 * What was judged, unless the command below says it, and when, and how far a verification is that runs. Its first line has
 * its place before they are read.
 */
function Verdict({ verdict, command }: { verdict: FollowedVerdict | null; command: string }) {
  const { report = null, running = null, stopped = '' } = verdict ?? {};
  return (
    <Box role="status" display="grid" gap="1" minHeight="6">
      {report && (
        <Text color="fg.muted" overflowWrap="anywhere">
          {command.endsWith(` ${report.command}`) ? 'Judged' : `${report.command}, judged`} <Time at={report.endedAt} />{' '}
          in {extentOf(report)}
        </Text>
      )}
      {running && (
        <Text>
          <Badge tone="waiting">Running</Badge> {running.done} of {counted(running.of, 'scenario')} judged
        </Text>
      )}
      {verdict && !report && !running && stopped === '' && <Text color="fg.muted">No verdict yet.</Text>}
      {stopped !== '' && <Text color="failed">No new verdict: {stopped}</Text>}
    </Box>
  );
}

/** /programs: the verdict on the user's program, and how it connects to the console. */
export function ProgramsPage() {
  const actor = useRunning(programs, { news: tokenNews });
  const judging = useResource(verdict);
  const isReading = useSelector(actor, (snapshot) => snapshot.matches('reading'));
  const isListed = useSelector(actor, (snapshot) => snapshot.hasTag('list'));
  const failure = useSelector(actor, (snapshot) => (snapshot.matches('unread') ? snapshot.context.failure : null));
  const tokens = useSelector(actor, ({ context }) => context.tokens);
  const { known: followed, isReading: isUnjudged, unread: unjudged } = judging;
  // Neither pushes the other down when it arrives later.
  const isWaiting = isReading || isUnjudged;
  const command = commandFor(followed?.report ?? null);
  const where = command.startsWith('npx ')
    ? 'The package is what npm pack makes in a checkout of this console.'
    : 'Run it in your app’s folder: it plays failures of payments in separate sandboxes.';
  const report = followed?.report;
  return (
    <Box
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 22.5rem' }}
      gap="6"
      alignItems="start"
    >
      <Stack gap="5">
        <Stack gap="3">
          <Box>
            <Eyebrow>Tools</Eyebrow>
            <Flex columnGap="3" wrap="wrap" align="center">
              <PageHeading>Your app</PageHeading>
              {report && <Count checks={report.checks} />}
            </Flex>
          </Box>
          <Verdict verdict={followed} command={command} />
          {report && <VerdictHistory history={report.history} />}
          <Box>
            <CopyableText text={command} what="the command" />
            {!report && (
              <Text color="fg.muted" fontSize="xs" pt="1">
                {where}
              </Text>
            )}
          </Box>
        </Stack>
        {unjudged && <FailurePanel problem={unjudged} {...retrying(judging.actor, unjudged)} />}
        {isWaiting && <CardSkeleton />}
        {report && !isWaiting && <VerdictFailures report={report} commandOf={(id) => commandOfScenario(report, id)} />}
        {report && !isWaiting && <VerdictGroups checks={report.checks} />}
        {failure && <FailurePanel problem={failure} {...retrying(actor, failure)} />}
        {!isWaiting && <ConnectProgram />}
        {isListed && !isWaiting && <ProgramTokens actor={actor} />}
      </Stack>
      <Stack gap="4">
        {isWaiting && <ConnectSkeleton />}
        {followed && !isWaiting && <ConnectCard tokens={tokens} followed={followed} />}
        <ChecksSection calls={followed?.connection?.calls ?? 0} lastAt={followed?.connection?.lastAt ?? ''} />
      </Stack>
    </Box>
  );
}
