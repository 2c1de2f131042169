import { chakra, Box, Text } from '@chakra-ui/react';
import { Fragment, type ReactNode } from 'react';

const List = chakra('dl', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: '1fr', sm: 'max-content 1fr' },
    columnGap: '5',
    rowGap: '1',
    alignItems: 'baseline',
  },
});
const Term = chakra('dt', { base: { color: 'fg.muted' } });
const Description = chakra('dd', { base: { minWidth: '0', overflowWrap: 'anywhere', pb: { base: '2', sm: '0' } } });

/** Names and their values, one below the other; an item without value is left out. */
export function Details({ items }: { items: Readonly<Record<string, ReactNode>> }) {
  return (
    <List>
      {Object.entries(items).map(
        ([name, value]) =>
          value !== '' && (
            <Fragment key={name}>
              <Term>{name}</Term>
              <Description>{value}</Description>
            </Fragment>
          ),
      )}
    </List>
  );
}

/** What would be here, and the action that fills it (behaviour, section 10.7). */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <Box borderWidth="1px" borderStyle="dashed" borderRadius="md" p="4" color="fg.muted">
      <Text>{children}</Text>
      {action && <Box pt="3">{action}</Box>}
    </Box>
  );
}

/** Figures below each other, at the end of the line. */
export const Amount = ({ children }: { children: ReactNode }) => (
  <Box as="span" display="block" textAlign="end" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
    {children}
  </Box>
);
