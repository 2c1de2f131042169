import { Stack } from '#ui/surfaces.tsx';
import { Text } from '@chakra-ui/react';
import { PracticeMatrix } from './PracticeMatrix.tsx';

export const practiceSays = 'Choose an operation and a fault. It must take effect once, in a rehearsal company.';

/** The failures to practise, each with its last result in this browser. */
export const PracticeSection = () => (
  <Stack as="section" aria-label="Practise failures" gap="3">
    <Text color="fg.muted" fontSize="sm">
      {practiceSays}
    </Text>
    <PracticeMatrix />
  </Stack>
);
