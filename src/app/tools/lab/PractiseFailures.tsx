import { Flex, Heading, Link, Text } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import { Badge } from '#ui/Badge.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { useOutcomes } from './outcomes.ts';
import { PracticeMatrix } from './PracticeMatrix.tsx';
import { practiceSays } from './PracticeSection.tsx';
import { countOf, matrixOf } from './practiceCells.ts';

/** The invitation of the finished home page to practise failures. */
export function PractiseFailures() {
  const rows = matrixOf(useOutcomes());
  const passed = countOf(rows, 'passed');
  return (
    <Stack as="section" aria-labelledby="practise-failures" gap="3">
      <Flex align="center" gap="3" wrap="wrap">
        <Heading as="h2" id="practise-failures">
          Practise failures
        </Heading>
        {passed > 0 && (
          <Badge tone="done">
            {passed} of {countOf(rows)} passed
          </Badge>
        )}
        <Link asChild ms="auto" fontSize="sm">
          <RouterLink to="/sandbox#faults">Open the lab</RouterLink>
        </Link>
      </Flex>
      <Text color="fg.muted" fontSize="sm">
        {practiceSays}
      </Text>
      <PracticeMatrix />
    </Stack>
  );
}
