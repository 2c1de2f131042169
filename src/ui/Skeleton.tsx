import { Box } from '@chakra-ui/react';

/** Forced colours remove the background and show the border. */
export const placeholder = {
  bg: 'bg.muted',
  borderWidth: '1px',
  borderColor: 'transparent',
  borderRadius: 'sm',
} as const;

/** A placeholder for content that is loading: `lines` rows, each as high as a field. */
export function Skeleton({ lines, label = 'Loading' }: { lines: number; label?: string }) {
  return (
    <Box role="status" aria-label={label} display="grid" gap="4" maxWidth="form">
      {Array.from({ length: lines }, (_, line) => (
        <Box key={line} height="12" {...placeholder} animation="pulse 1.6s ease-in-out infinite" />
      ))}
    </Box>
  );
}
