import { Box, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** What would be here, and the action that fills it (behaviour, section 10.7). */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <Box borderWidth="1px" borderStyle="dashed" borderRadius="md" p="4" color="fg.muted">
      <Text>{children}</Text>
      {action && <Box pt="3">{action}</Box>}
    </Box>
  );
}
