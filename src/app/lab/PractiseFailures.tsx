import { Button, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import { Badge } from '#ui/Badge.tsx';
import { Card } from '#ui/surfaces.tsx';
import { PracticeMatrix } from './PracticeMatrix.tsx';
import { countOf } from './readinessSheet.ts';
import { useReadinessSheet } from './useReadinessSheet.ts';

/** The invitation of the finished home page to practise failures. */
export function PractiseFailures() {
  const { rows, save } = useReadinessSheet();
  const passed = countOf(rows, 'passed');
  return (
    <Card as="section" aria-labelledby="practise-failures" size="md" gap="3">
      <div>
        <Flex align="center" gap="3" wrap="wrap">
          <Heading as="h2" id="practise-failures">
            Practise failures
          </Heading>
          <Badge tone={passed > 0 ? 'done' : 'idle'}>
            {passed} of {countOf(rows)} passed
          </Badge>
          <Flex ms="auto" gap="3" align="center" fontSize="sm">
            <Link asChild>
              <RouterLink to="/sandbox">Open the lab</RouterLink>
            </Link>
            <Button size="sm" variant="ghost" onClick={save}>
              Export sheet
            </Button>
          </Flex>
        </Flex>
        <Text color="fg.muted" fontSize="sm">
          Each cell makes the sandbox fail in one way and checks that the operation takes effect once. It runs in a
          rehearsal company.
        </Text>
      </div>
      <PracticeMatrix rows={rows} />
    </Card>
  );
}
