import { Box, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useSeconds } from './Time.tsx';

/** Said once an answer has been awaited for long. */
const stillWaiting = 'No answer has come yet; it is still looked for.';

/**
 * What is awaited and for how long; `children` is the sentence, `actions` are the ways out (behaviour, section 10.6).
 * `overdue`: longer than expected.
 */
export function Waiting(props: { children: ReactNode; actions?: ReactNode; overdue?: boolean }) {
  const { children, actions, overdue = false } = props;
  const seconds = useSeconds();
  return (
    // Above the overlay that covers a step at work, so that the ways out can be taken.
    <Flex
      position="relative"
      zIndex="1"
      gap="3"
      align="center"
      wrap="wrap"
      bg="waiting.subtle"
      borderRadius="md"
      px="3"
      py="2"
      maxWidth="measure"
    >
      <span role="status">
        {children}
        {overdue && ` ${stillWaiting}`}
      </span>
      <Box as="span" role="timer" aria-label="Elapsed time" color="fg.muted">
        {seconds} s
      </Box>
      {actions}
    </Flex>
  );
}
