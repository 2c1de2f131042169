import { Box, Text } from '@chakra-ui/react';
import type { ReactElement, ReactNode } from 'react';

/** What would be in an empty region and why it is empty; the one button or link that fills it, or why there is none. */
export type EmptyStateProps = { children: ReactNode } & (
  { action: ReactElement; reason?: never } | { action?: never; reason: string }
);

/** Replaces missing content (behaviour, section 10.7). */
export function EmptyState({ children, action, reason }: EmptyStateProps) {
  return (
    <Box borderWidth="1px" borderStyle="dashed" borderRadius="md" p="4" color="fg.muted">
      <Text>
        {children} {reason}
      </Text>
      {action && <Box pt="3">{action}</Box>}
    </Box>
  );
}
