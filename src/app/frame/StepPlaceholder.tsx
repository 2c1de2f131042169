import { Box, Grid, Text } from '@chakra-ui/react';
import { journeyOf, type JourneyId } from '#machines/journeys.ts';
import { Skeleton } from '#ui/Skeleton.tsx';
import { PageHeading } from './PageHeading.tsx';

/**
 * Stands where a step will, in its frame, until the code of the steps and the facts are there. It says what the page is
 * for, which depends on neither.
 */
export function StepPlaceholder({ id }: { id: JourneyId }) {
  const { title, heading = title, purpose, group } = journeyOf(id);
  return (
    <Grid
      flex="1"
      gridTemplateRows={{ base: 'auto 1fr', lg: '1fr' }}
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: '{sizes.rail} minmax(0, 1fr)' }}
      bg="bg"
    >
      {/* The rail, or the line that opens it. */}
      <Box
        height={{ base: '2.3125rem', lg: 'auto' }}
        borderBottomWidth={{ base: '1px', lg: '0' }}
        borderEndWidth={{ lg: '1px' }}
      />
      <Box px={{ base: '6', lg: '8' }} py="8" minWidth="0">
        <Box height="9" mb="1" />
        <PageHeading title={group ? `${group}: ${title}` : title}>{heading}</PageHeading>
        {purpose !== '' && (
          <Text color="fg.muted" maxWidth="60ch" mt="2">
            {purpose}
          </Text>
        )}
        <Box mt="6">
          <Skeleton lines={6} />
        </Box>
      </Box>
    </Grid>
  );
}
