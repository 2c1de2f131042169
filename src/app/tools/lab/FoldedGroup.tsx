import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** The state of a member of a group, as its dot shows it. */
export type Dot = 'done' | 'failed' | 'waiting' | 'idle';

const colours: Readonly<Record<Dot, string>> = {
  done: 'done',
  failed: 'failed',
  waiting: 'waiting',
  idle: 'border',
};

const Line = chakra('summary', {
  base: {
    display: 'flex',
    gap: '4',
    alignItems: 'center',
    minHeight: '10',
    cursor: 'pointer',
    listStyle: 'none',
    _after: { content: '"▾" / ""', color: 'fg.muted' },
    'details[open] > &': { _after: { content: '"▴" / ""' } },
    '&::-webkit-details-marker': { display: 'none' },
  },
});

/**
 * A group in one line: its name, a dot for each of its members and what they amount to. Unfolded, it shows its members. Of the groups with
 * the same `accordion` one is open.
 */
export function FoldedGroup(props: {
  name: string;
  dots: readonly Dot[];
  says: string;
  accordion?: string;
  open?: boolean;
  children: ReactNode;
}) {
  const { name, dots, says, accordion, open, children } = props;
  return (
    <chakra.details name={accordion} open={open} px="5" borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
      <Line>
        <Box as="span" flex="1">
          {name}
        </Box>
        <Flex as="span" gap="1" aria-hidden="true" display={{ base: 'none', sm: 'flex' }}>
          {dots.map((dot, index) => (
            <Box
              as="span"
              key={index}
              width="2"
              height="2"
              borderRadius="full"
              borderWidth="1px"
              borderColor={colours[dot]}
              bg={colours[dot]}
            />
          ))}
        </Flex>
        <Text as="span" fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
          {says}
        </Text>
      </Line>
      {children}
    </chakra.details>
  );
}
