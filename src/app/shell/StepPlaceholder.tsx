import { Box } from '@chakra-ui/react';
import { Skeleton } from '#ui/Skeleton.tsx';

/** Stands where a step will, beside its rail, until the code of the steps has loaded. */
export const StepPlaceholder = () => (
  <Box ps={{ base: '6', lg: 'calc({sizes.rail} + {spacing.10})' }} pe={{ base: '6', lg: '10' }} py="8">
    <Skeleton lines={6} />
  </Box>
);
