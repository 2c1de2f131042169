import { chakra } from '@chakra-ui/react';
import { Fragment, type ReactNode } from 'react';

const List = chakra('dl', {
  base: { display: 'grid', gridTemplateColumns: { base: '1fr', sm: 'max-content 1fr' }, columnGap: '5', rowGap: '1' },
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
