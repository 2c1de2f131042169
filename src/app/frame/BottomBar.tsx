import { Box, Flex } from '@chakra-ui/react';
import type { Ref } from 'react';
import { useLocation } from 'react-router-dom';
import { barName, lowWindow, smallWindow } from '#ui/Bar.tsx';
import { locationAt } from '../console/journeyLocation.ts';

/** DOM id of the bar. A focused element in the bar counts as part of the step. */
export const barId = 'step-bar';

/**
 * The bar at the bottom of a step; it stays in place while the step is loading. The functions receive the elements into
 * which its buttons are rendered.
 */
export function BottomBar({ start, end, onward }: Record<'start' | 'end' | 'onward', Ref<HTMLDivElement>>) {
  const { pathname, search } = useLocation();
  if (!locationAt(pathname, search)) return null;
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
      ps="6"
      // The buttons stand below the step, not below the inspector beside it.
      pe={{
        base: '6',
        md: 'calc({spacing.6} + var(--beside, 0px))',
        lg: 'calc({spacing.6} + var(--beside, 0px) + var(--beside-wide, 0px))',
      }}
      bg="bg"
      borderTopWidth="1px"
      css={{
        // The padding is not in `lowWindow`, whose rules come before these.
        [smallWindow]: {
          minHeight: '0',
          paddingBlock: '0.5',
          '& a, & button': { minHeight: '8', paddingInline: '2.5' },
        },
        [lowWindow]: { flexWrap: 'nowrap' },
      }}
    >
      <Flex gap={{ base: '0', md: '2' }} align="center" flex="none" ms={{ base: '-2.5', md: '-4' }} me="auto">
        <Box ref={start} display="contents" />
      </Flex>
      {/* In a narrow window the reason has a line of its own, above all buttons. */}
      <Flex
        gap="2"
        align="center"
        justify="end"
        flex="1"
        minWidth="0"
        display={{ base: 'contents', md: 'flex' }}
        css={{ [lowWindow]: { display: 'flex' } }}
      >
        <Box ref={end} display="contents" />
        <Box ref={onward} display="contents" />
      </Flex>
    </Flex>
  );
}
