import { chakra, Box } from '@chakra-ui/react';
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

/** A description list of `items` by name; leaves out items with the value ''. */
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

/** A right-aligned amount with tabular figures, so that the digits of a column line up. */
export const Amount = ({ children }: { children: ReactNode }) => (
  <Box as="span" display="block" textAlign="end" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
    {children}
  </Box>
);
