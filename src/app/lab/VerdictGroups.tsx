import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { ProgramVerdict } from '#contract/programShapes.ts';
import { Card } from '#ui/surfaces.tsx';

type Checks = NonNullable<ProgramVerdict['report']>['checks'];
type Verdict = Checks[number]['verdict'];

const colours: Readonly<Record<Verdict, string>> = { passed: 'done', failed: 'failed', 'not exercised': 'border' };

/** How many checks of a group passed, and how many were not exercised. */
function countOf(checks: Checks): string {
  const number = (verdict: Verdict) => checks.filter((check) => check.verdict === verdict).length;
  const unexercised = number('not exercised');
  if (unexercised === checks.length) return 'not exercised';
  return `${number('passed')} of ${checks.length}${unexercised === 0 ? '' : `, ${unexercised} not exercised`}`;
}

/** The groups of checks, one line each; unfolded, a group names its checks. */
export function VerdictGroups({ checks }: { checks: Checks }) {
  const groups = [...new Set(checks.map(({ group }) => group))];
  return (
    <Card as="section" aria-label="Groups of checks" p="0" gap="0">
      {groups.map((group) => {
        const own = checks.filter((check) => check.group === group);
        return (
          <Box as="details" key={group} borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
            <chakra.summary display="flex" gap="4" alignItems="center" minHeight="11" px="5" cursor="pointer">
              <Box as="span" flex="1">
                {group}
              </Box>
              <Flex as="span" gap="1" aria-hidden="true" display={{ base: 'none', sm: 'flex' }}>
                {own.map(({ id, verdict }) => (
                  <Box as="span" key={id} width="2" height="2" borderRadius="full" bg={colours[verdict]} />
                ))}
              </Flex>
              <Text as="span" fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
                {countOf(own)}
              </Text>
            </chakra.summary>
            <chakra.ul listStyleType="none" px="5" pb="3" fontSize="sm">
              {own.map(({ id, title, verdict }) => (
                <Flex as="li" key={id} gap="4" justify="space-between">
                  <span>{title}</span>
                  <Text as="span" color={verdict === 'failed' ? 'failed' : 'fg.muted'} whiteSpace="nowrap">
                    {verdict}
                  </Text>
                </Flex>
              ))}
            </chakra.ul>
          </Box>
        );
      })}
    </Card>
  );
}
