import { chakra, Flex, Text } from '@chakra-ui/react';
import type { ProgramVerdict } from '#contract/programShapes.ts';
import { counted } from '#rules/counted.ts';
import { Ticks } from '#ui/plots/Ticks.tsx';
import { Card } from '#ui/surfaces.tsx';
import { Time } from '#ui/Time.tsx';
import { FoldedGroup, type Dot } from './FoldedGroup.tsx';

type Checks = NonNullable<ProgramVerdict['report']>['checks'];
type Verdict = Checks[number]['verdict'];

const dots: Readonly<Record<Verdict, Dot>> = { passed: 'done', failed: 'failed', 'not exercised': 'idle' };

const wordOf = ({ verdict, allowed }: Checks[number]): string =>
  verdict === 'failed' && allowed !== '' ? 'failed, as is allowed' : verdict;

/** How many checks of a group passed, and how many were not exercised. */
function countOf(checks: Checks): string {
  const number = (verdict: Verdict) => checks.filter((check) => check.verdict === verdict).length;
  const unexercised = number('not exercised');
  if (unexercised === checks.length) return 'not exercised';
  return `${number('passed')} of ${checks.length}${unexercised === 0 ? '' : `, ${unexercised} not exercised`}`;
}

/** The verdicts over time, a mark each; unfolded, which checks failed in each. Nothing for the first one. */
export function VerdictHistory({ history }: { history: NonNullable<ProgramVerdict['report']>['history'] }) {
  if (history.length < 2) return null;
  const bad = history.filter(({ failed }) => failed.length > 0).length;
  return (
    <chakra.details fontSize="sm">
      <chakra.summary cursor="pointer" minHeight="6">
        <Flex display="inline-flex" gap="3" align="center" verticalAlign="middle">
          <Ticks
            states={history.map(({ failed }) => (failed.length > 0 ? 'failed' : 'passed'))}
            label={`${counted(history.length, 'verdict')}, ${bad} with failed checks`}
          />
        </Flex>
      </chakra.summary>
      <chakra.ol listStyleType="none" pt="2" aria-label="Verdicts">
        {history.toReversed().map(({ endedAt, passed, failed }) => (
          <li key={endedAt}>
            <Time at={endedAt} />: {failed.length === 0 ? `${counted(passed, 'check')} passed` : failed.join('; ')}
          </li>
        ))}
      </chakra.ol>
    </chakra.details>
  );
}

/** The groups of checks, one line each; unfolded, a group names its checks. */
export function VerdictGroups({ checks }: { checks: Checks }) {
  const groups = [...new Set(checks.map(({ group }) => group))];
  return (
    <Card as="section" aria-label="Groups of checks" p="0" gap="0">
      {groups.map((group) => {
        const own = checks.filter((check) => check.group === group);
        return (
          <FoldedGroup
            key={group}
            name={group}
            dots={own.map(({ verdict, allowed }) => (allowed === '' ? dots[verdict] : 'idle'))}
            says={countOf(own)}
          >
            <chakra.ul listStyleType="none" pb="3" fontSize="sm">
              {own.map((check) => (
                <Flex as="li" key={check.id} gap="4" justify="space-between">
                  <span>{check.title}</span>
                  <Text as="span" color={wordOf(check) === 'failed' ? 'failed' : 'fg.muted'} whiteSpace="nowrap">
                    {wordOf(check)}
                  </Text>
                </Flex>
              ))}
            </chakra.ul>
          </FoldedGroup>
        );
      })}
    </Card>
  );
}
