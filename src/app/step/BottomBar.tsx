import { Box, Button, Flex } from '@chakra-ui/react';
import type { Ref } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { addressOf, guidedPath, type JourneyId } from '#machines/journeys.ts';
import { barName, smallWindow, type Place } from '#ui/Bar.tsx';
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
      columnGap={{ base: '2', md: '6' }}
      rowGap="1"
      minHeight={{ md: 'bar' }}
      py={{ base: '1', md: '2' }}
      px="6"
      bg="bg"
      borderTopWidth="1px"
      css={{
        [smallWindow]: { minHeight: '0', paddingBlock: '1', '& a, & button': { height: '8', paddingInline: '2.5' } },
      }}
    >
      <Flex gap={{ base: '0', md: '2' }} align="center" flex="none" ms={{ base: '-2.5', md: '-4' }} me="auto">
        {before !== '' && (
          <Button asChild variant="ghost">
            <Link to={before}>Back</Link>
          </Button>
        )}
        <Box ref={start} display="contents" />
      </Flex>
      {/* In a narrow window the reason has a line of its own, above all buttons. */}
      <Flex gap="2" align="center" justify="end" flex="1" minWidth="0" display={{ base: 'contents', md: 'flex' }}>
        <Box ref={end} display="contents" />
        <Box ref={onward} display="contents" />
      </Flex>
    </Flex>
  );
}
