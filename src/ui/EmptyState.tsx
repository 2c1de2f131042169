import { Box, Flex, Text } from '@chakra-ui/react';
import type { ReactElement, ReactNode } from 'react';
import { Card } from './surfaces.tsx';

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

/** What a page is for that has nothing to show yet: its way as a drawing, a sentence, and the buttons that begin it. */
export function FirstView({ way, says, children }: { way: ReactElement; says: ReactNode; children?: ReactNode }) {
  return (
    <Card size="lg" gap="5" py={{ base: '5', sm: '10' }} justifyItems="center" maxWidth="measure">
      {way}
      <Text as="div" fontSize="lg" lineHeight="lg" textAlign="center">
        {says}
      </Text>
      {children !== undefined && (
        <Flex gap="2" wrap="wrap" justify="center" align="center">
          {children}
        </Flex>
      )}
    </Card>
  );
}
