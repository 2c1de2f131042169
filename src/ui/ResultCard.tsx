import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Details } from './Details.tsx';
import { Card } from './surfaces.tsx';

/** A part of the card, below a line; absent without content. */
function Part({ children }: { children: ReactNode }) {
  return (
    <Box
      px={{ base: '4', sm: '6' }}
      py="4"
      borderTopWidth="1px"
      _first={{ borderTopWidth: '0' }}
      _empty={{ display: 'none' }}
    >
      {children}
    </Box>
  );
}

/** What a step has made, which the page's heading names, as a card: what happened to it, and the values that matter. */
export function ResultCard(props: {
  history?: ReactNode;
  /** By label; those that are '' are left out. */
  values?: Readonly<Record<string, ReactNode>>;
}) {
  const { history, values } = props;
  return (
    <Card as="section" aria-label="Result" p="0" maxWidth="form">
      {history !== undefined && <Part>{history}</Part>}
      {values && (
        <Part>
          <Box fontSize="sm">
            <Details items={values} />
          </Box>
        </Part>
      )}
    </Card>
  );
}
