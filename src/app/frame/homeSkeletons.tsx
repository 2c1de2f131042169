import { Box } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { placeholder } from '#ui/Skeleton.tsx';
import { Card } from '#ui/surfaces.tsx';
import { PageHeading } from './PageHeading.tsx';

/**
 * Placeholders of the home page's parts until the facts are read, as high as the parts for a new visitor, so that nothing
 * moves when they arrive.
 */

const bar = { height: '3', ...placeholder } as const;

/** The widths of the bars below each other. A policy forbids styles in the markup, so one element has those of all. */
const widths = (all: readonly string[]) =>
  Object.fromEntries(all.map((width, index) => [`& > i:nth-of-type(${index + 1})`, { width, maxWidth: 'full' }]));

/** A card of grey bars, one for each width. */
function Bars({ of, css, ...props }: { of: readonly string[] } & ComponentProps<typeof Card>) {
  return (
    <Card {...props} css={{ '& > i': bar, ...widths(of), ...css }}>
      {of.map((_, index) => (
        <i key={index} />
      ))}
    </Card>
  );
}

const phases = ['6rem', '5rem', '4rem', '6rem', '3rem'];

/** The guided path: band and phases, the first of them open. */
export const GuidedSkeleton = () => (
  <Box role="status" aria-label="Loading" display="grid" gap="6">
    <Bars
      of={['5rem', '16rem', '60%', '100%']}
      height={{ base: '11.75rem', sm: '9.75rem', md: '8.5rem' }}
      size="lg"
      alignContent="space-between"
      css={{
        '& > i:nth-of-type(2)': { ...bar, height: '5', width: '16rem', maxWidth: 'full' },
        '& > i:nth-of-type(4)': { ...bar, height: '1.5', width: 'full' },
      }}
    />
    <Card
      css={{
        '& > div': {
          px: '5',
          height: 'calc(3rem + 1px)',
          borderTopWidth: '1px',
          display: 'grid',
          alignContent: 'space-evenly',
        },
        '& > div:first-of-type': { height: '5.75rem', borderTopWidth: '0' },
        '& i': bar,
        ...Object.fromEntries(phases.map((width, index) => [`& > div:nth-of-type(${index + 1}) > i`, { width }])),
      }}
    >
      {phases.map((_, index) => (
        <div key={index}>
          <i />
          {index === 0 && <i />}
        </div>
      ))}
    </Card>
  </Box>
);

export const WorkspaceSkeleton = () => (
  <Bars
    of={['6rem', '70%', '60%', '75%', '55%', '70%']}
    size="md"
    height="calc(13.25rem + 2px)"
    alignContent="space-between"
    css={{ '& > i:first-of-type': { ...bar, height: '5', width: '6rem' } }}
  />
);

export const LastCallsSkeleton = () => (
  <Bars of={['6rem']} size="md" height="15rem" css={{ '& > i': { ...bar, height: '5' } }} />
);

/** The card of the failures to practise: its heading, two rows of marks and a line. */
export const PracticeSkeleton = () => (
  <Bars of={['8rem', '100%', '100%', '5rem']} role="status" aria-label="Loading" size="md" height="9.5rem" gap="3" />
);

/** The heading of the finished page, whose amount has not come. */
export const HeroSkeleton = () => (
  <Box minHeight="3.25rem" display="grid" alignContent="end">
    <PageHeading title="Home">Payments Out Console</PageHeading>
  </Box>
);

/** A card of batches with as many rows as there are. */
export const BatchesSkeleton = ({ batches }: { batches: readonly unknown[] }) => (
  <Bars
    of={Array.from({ length: Math.min(6, batches.length) + 1 }, () => '60%')}
    role="status"
    aria-label="Loading"
    size="md"
    gap="8"
  />
);

export const LastHourSkeleton = () => (
  <Bars
    of={['6rem', '90%']}
    role="status"
    aria-label="Loading"
    size="md"
    height={{ base: '36rem', md: '14rem' }}
    gap="6"
  />
);
