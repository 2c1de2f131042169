import { Box } from '@chakra-ui/react';
import { useState, type ReactNode } from 'react';
import { useSecondsSince, useSteadySeconds } from './ticks.ts';
import { Callout } from './surfaces.tsx';

/** Shown once the wait is overdue. */
const stillWaiting = 'Still no response.';

const SinceSent = ({ sentAt }: { sentAt: string }) => <>{useSecondsSince(sentAt)} s</>;

/** Counts from its first render, for a request that this page is sending. */
function SinceShown() {
  const now = useSteadySeconds();
  const [start] = useState(now);
  return <>{now - start} s</>;
}

/**
 * A wait and its elapsed time (behaviour, section 10.6). `children` is a sentence about what is awaited, `actions` are
 * buttons such as "Stop waiting"; `overdue` adds that the wait is longer than expected. `sentAt` (ISO 8601) is when the
 * awaited message was sent, which may have been before the page was opened; '' while it is being sent.
 */
export function Waiting(props: {
  children: ReactNode;
  actions?: ReactNode;
  overdue?: boolean;
  sentAt?: string | undefined;
}) {
  const { children, actions, overdue = false, sentAt = '' } = props;
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
        {sentAt === '' ? <SinceShown /> : <SinceSent sentAt={sentAt} />}
      </Box>
      {actions}
    </Callout>
  );
}
