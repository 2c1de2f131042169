import { Box, Flex } from '@chakra-ui/react';
import type { Ref } from 'react';
import { useLocation } from 'react-router-dom';
import { journeyAt } from '#machines/journeys.ts';
import { barName, type Place } from '#ui/Bar.tsx';

/** DOM id of the bar. A focused element in the bar counts as part of the step. */
export const barId = 'step-bar';

/**
 * The bar at the bottom of a step; it stays in place while the step is loading. The functions receive the elements into
 * which its buttons are rendered.
 */
export function BottomBar({ start, end, onward }: Record<keyof Omit<Place, 'second'>, Ref<HTMLDivElement>>) {
  const { pathname } = useLocation();
  if (!journeyAt(pathname)) return null;
  return (
    <Flex
      id={barId}
      role="group"
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
      <Flex ref={start} gap="2" align="center" flex="none" ms="-4" />
      <Flex gap="2" align="center" justify="end" flex="1" minWidth="0" wrap={{ base: 'wrap', md: 'nowrap' }}>
        <Box ref={end} display="contents" />
        <Box ref={onward} display="contents" />
      </Flex>
    </Flex>
  );
}
