import { Box, chakra } from '@chakra-ui/react';
import { Card } from '#ui/surfaces.tsx';

/**
 * Placeholders of the home page's parts until the facts are read, as high as the parts for a new visitor, so that nothing
 * moves when they arrive.
 */

const Line = chakra('div', { base: { height: '3', borderRadius: 'sm', bg: 'bg.muted' } });

const phases = ['6rem', '5rem', '4rem', '6rem', '3rem'];
const records = ['70%', '60%', '75%', '55%', '70%'];

/** The guided path: band and phases, the first of them open. */
export const GuidedSkeleton = () => (
  <Box role="status" aria-label="Loading" display="grid" gap="6">
    <Card height={{ base: '13.75rem', sm: '8.75rem' }} size="lg" alignContent="space-between">
      <Line width="5rem" />
      <Line width="16rem" height="5" maxWidth="full" />
      <Line width="60%" />
      <Line height="1.5" borderRadius="full" />
    </Card>
    <Card>
      {phases.map((width, index) => (
        <Box
          key={index}
          px="5"
          height={index === 0 ? '5.75rem' : 'calc(3rem + 1px)'}
          borderTopWidth={index === 0 ? '0' : '1px'}
          display="grid"
          alignContent="space-evenly"
        >
          <Line width={width} />
          {index === 0 && <Line width="4rem" />}
        </Box>
      ))}
    </Card>
  </Box>
);

export const WorkspaceSkeleton = () => (
  <Card size="md" height="calc(13.25rem + 2px)" alignContent="space-between">
    <Line width="6rem" height="5" />
    {records.map((width, index) => (
      <Line key={index} width={width} />
    ))}
  </Card>
);

export const LastCallsSkeleton = () => (
  <Card size="md" height="15rem">
    <Line width="6rem" height="5" />
  </Card>
);

/** The matrix of failures, which has six operations. */
export const PracticeSkeleton = () => (
  <Card
    role="status"
    aria-label="Loading"
    size="md"
    height={{ base: '28rem', md: '23rem' }}
    alignContent="start"
    gap="3"
  >
    <Line width="12rem" height="5" />
    <Line width="70%" />
  </Card>
);
