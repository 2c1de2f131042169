import { Flex } from '@chakra-ui/react';
import { useLocation } from 'react-router-dom';
import { journeyAt } from '#machines/journeys.ts';

/** DOM id of the bar. A focused element in the bar counts as part of the step. */
export const barId = 'step-bar';

/** The bar at the bottom of a step, which keeps its place while the step is loading. `start` and `end` receive the elements into which its buttons are rendered. */
export function BottomBar({
  start,
  end,
}: {
  start: (node: HTMLElement | null) => void;
  end: (node: HTMLElement | null) => void;
}) {
  const { pathname } = useLocation();
  if (!journeyAt(pathname)) return null;
  return (
    <Flex
      id={barId}
      role="group"
      aria-label="Actions of this step"
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
      <Flex
        ref={end}
        gap="2"
        align="center"
        justify="end"
        flex="1"
        minWidth="0"
        wrap={{ base: 'wrap', md: 'nowrap' }}
      />
    </Flex>
  );
}
