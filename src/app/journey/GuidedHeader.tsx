import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useCallback } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import { addressOf, guidedPath, journeyOf, type JourneyId } from '#machines/journeys.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Card } from '#ui/surfaces.tsx';
import { useResource } from '../console/useResource.ts';
import { exampleStart } from '../effects/company.ts';
import type { GuidedRow } from '../frame/guidedRows.ts';

/** A progress bar of the guided path: `done` steps of `of`. */
function Progress({ done, of }: { done: number; of: number }) {
  return (
    <Box
      role="progressbar"
      aria-label="Guided path"
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={done}
      aria-valuetext={`${done} of ${of} steps are done`}
      height="1.5"
      mt="4"
      borderRadius="full"
      bg="bg.muted"
      overflow="hidden"
    >
      <Box height="full" bg="accent" borderRadius="full" style={{ width: `${(done / of) * 100}%` }} />
    </Box>
  );
}

/** What begins the path with examples, where the settings are still to be chosen at a sandbox. */
function useExampleStart(facts: Facts) {
  const navigate = useNavigate();
  const [, second = 'organisation'] = guidedPath(facts);
  const { actor, failure } = useResource(exampleStart, {
    acted: useCallback(() => void navigate(addressOf(second, { guided: true })), [navigate, second]),
  });
  const mayTake = useSelector(actor, (now) => now.hasTag('busy') || now.can({ type: 'act', act: 'take', facts }));
  return { actor, mayTake, failure };
}

/** The user's position on the guided path, the reason why that step is next, and a button that continues there. */
export function GuidedHeader({ facts, rows, next }: { facts: Facts; rows: readonly GuidedRow[]; next: JourneyId }) {
  const done = rows.filter(({ tone }) => tone === 'done').length;
  const row = rows.find(({ id }) => id === next);
  const { actor, mayTake, failure } = useExampleStart(facts);
  return (
    <Card size="lg">
      <Box display="flex" flexWrap="wrap" gap="3" alignItems="center" justifyContent="space-between">
        <Box flex="1 1 20rem" minWidth="0">
          <Text fontSize="xs" fontWeight="medium" color="fg.muted">
            Step {rows.findIndex(({ id }) => id === next) + 1} of {rows.length}
          </Text>
          <Heading as="h2" size="xl">
            {journeyOf(next).heading ?? journeyOf(next).title}
          </Heading>
          <Text fontSize="sm" color="fg.muted" overflowWrap="anywhere">
            {row?.explanation || journeyOf(next).whyNext?.(facts)}
          </Text>
        </Box>
        <Flex gap="2" wrap="wrap">
          {mayTake && (
            <ActButton variant="solid" actor={actor} act={{ type: 'act', act: 'take', facts }}>
              Start with examples
            </ActButton>
          )}
          <Button asChild variant={mayTake ? 'outline' : 'solid'}>
            <RouterLink to={addressOf(next, { guided: true })}>
              {journeyOf(next).nextLabel?.(facts) || (done > 0 ? 'Continue' : 'Start')}
            </RouterLink>
          </Button>
        </Flex>
      </Box>
      {failure && <FailurePanel problem={failure} />}
      <Progress done={done} of={rows.length} />
    </Card>
  );
}
