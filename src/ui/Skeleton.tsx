import { Box } from '@chakra-ui/react';

/** A placeholder for content that is loading: `lines` rows, each as high as a field. */
export function Skeleton({ lines, label = 'Loading' }: { lines: number; label?: string }) {
  return (
    <Box role="status" aria-label={label} display="grid" gap="4" maxWidth="form">
      {Array.from({ length: lines }, (_, line) => (
        <Box key={line} height="12" bg="bg.muted" borderRadius="sm" animation="pulse 1.6s ease-in-out infinite" />
      ))}
    </Box>
  );
}
