import { Box, Button, Flex } from '@chakra-ui/react';
import type { Ref } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { addressOf, guidedPath, type JourneyId } from '#machines/journeys.ts';
import { barName, type Place } from '#ui/Bar.tsx';
import { useFacts } from '../console/console.tsx';
import { locationAt } from '../console/journeyLocation.ts';

/** DOM id of the bar. A focused element in the bar counts as part of the step. */
export const barId = 'step-bar';

/** The address of the step before this one on the guided path: home before the first one; '' for no step of the path. */
function useStepBefore(id: JourneyId | undefined): string {
  const facts = useFacts();
  const path = facts ? guidedPath(facts) : [];
  if (!id || !path.includes(id)) return '';
  const before = path[path.indexOf(id) - 1];
  return before ? addressOf(before, { guided: true }) : '/';
}

/**
 * The bar at the bottom of a step; it stays in place while the step is loading. The functions receive the elements into
 * which its buttons are rendered.
 */
export function BottomBar({ start, end, onward }: Record<keyof Omit<Place, 'second'>, Ref<HTMLDivElement>>) {
  const { pathname, search } = useLocation();
  const opened = locationAt(pathname, search);
  const before = useStepBefore(opened?.guided ? opened.journey : undefined);
  if (!opened) return null;
  return (
    <Flex
      id={barId}
      role="region"
      aria-label={barName}
      align="center"
      wrap={{ base: 'wrap', md: 'nowrap' }}
      columnGap="6"
      rowGap="2"
      minHeight="bar"
      py="2"
      px="6"
      bg="bg"
      borderTopWidth="1px"
    >
      <Flex gap="2" align="center" flex="none" ms="-4">
        {before !== '' && (
          <Button asChild variant="ghost">
            <Link to={before}>Back</Link>
          </Button>
        )}
        <Box ref={start} display="contents" />
      </Flex>
      <Flex gap="2" align="center" justify="end" flex="1" minWidth="0" wrap={{ base: 'wrap', md: 'nowrap' }}>
        <Box ref={end} display="contents" />
        <Box ref={onward} display="contents" />
      </Flex>
    </Flex>
  );
}
