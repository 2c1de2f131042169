import { Stack } from '#ui/surfaces.tsx';
import { Text } from '@chakra-ui/react';
import { PracticeMatrix } from './PracticeMatrix.tsx';

export const practiceSays =
  'Each runs an operation with a fault in a rehearsal company. The operation must take effect once. Stops other faults, and sets the clock to machine time.';

/** The failures to practise, each with its last result in this browser. */
export const PracticeSection = () => (
  <Stack as="section" aria-label="Practise failures" gap="3">
    <Text color="fg.muted" fontSize="sm">
      {practiceSays}
    </Text>
    <PracticeMatrix />
  </Stack>
);
