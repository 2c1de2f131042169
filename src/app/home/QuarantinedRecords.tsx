import { Box, Text } from '@chakra-ui/react';
import type { Facts } from '#contract/facts.ts';
import { Callout } from '#ui/surfaces.tsx';

/** Reports the console's own records that could not be read, and the consequences. */
export function QuarantinedRecords({ total, latest }: Facts['setAside']) {
  return (
    <Callout as="section" role="note" aria-label="Records that cannot be read" tone="failed">
      <Text maxWidth="measure">
        {total === 1 ? 'One record' : `${total} records`} of this console could not be read and{' '}
        {total === 1 ? 'was' : 'were'} set aside: the file was changed or damaged. All else goes on without{' '}
        {total === 1 ? 'it' : 'them'}; before you pay again, compare with the service. To have{' '}
        {total === 1 ? 'it' : 'them'} back, stop the console and restore its file from a copy.
      </Text>
      <details>
        <summary>Which {total > latest.length && `(the latest ${latest.length})`}</summary>
        <Box as="ul" ps="5" fontSize="sm">
          {latest.map(({ kind, id, at }) => (
            <li key={`${kind} ${id} ${at}`}>
              <Text overflowWrap="anywhere">
                {kind} <bdi>{id}</bdi>, {at}
              </Text>
            </li>
          ))}
        </Box>
      </details>
    </Callout>
  );
}
