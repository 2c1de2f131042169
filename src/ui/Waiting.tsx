import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useSeconds } from './Time.tsx';
import { Callout } from './surfaces.tsx';

/** Shown once the wait is overdue. */
const stillWaiting = 'No response yet. Still waiting.';

/**
 * A wait and its elapsed time (behaviour, section 10.6). `children` is a sentence about what is awaited, `actions` are
 * buttons such as "Stop waiting"; `overdue` adds that the wait is longer than expected.
 */
export function Waiting(props: { children: ReactNode; actions?: ReactNode; overdue?: boolean }) {
  const { children, actions, overdue = false } = props;
  const seconds = useSeconds();
  return (
    // Above the overlay that covers a busy step, so that `actions` can be pressed.
    <Callout
      tone="waiting"
      size="sm"
      position="relative"
      zIndex="1"
      display="flex"
      gap="3"
      alignItems="center"
      flexWrap="wrap"
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
    </Callout>
  );
}
