import { Box, Text } from '@chakra-ui/react';
import type { ComponentProps, ReactNode } from 'react';

/** A scrollable frame for a drawing that may be larger than the page. */
export function Drawing({
  label,
  css,
  ...box
}: { label: string } & Omit<ComponentProps<typeof Box>, 'css'> & {
    css?: Record<string, object>;
  }) {
  return (
    <Box
      role="region"
      aria-label={label}
      tabIndex={0}
      overflow="auto"
      maxHeight="75dvh"
      borderWidth="1px"
      borderRadius="md"
      bg="bg"
      // Keeps the drawing's own colours even where the user's system sets the colours of texts.
      css={{ '& > svg': { maxWidth: 'none' }, ...css, '@media (forced-colors: active)': { forcedColorAdjust: 'none' } }}
      _print={{ overflow: 'visible', maxHeight: 'none' }}
      {...box}
    />
  );
}

/** The legend of a drawing. */
export function Legend({ children }: { children: ReactNode }) {
  return (
    <Text color="fg.muted" fontSize="sm">
      {children}
    </Text>
  );
}
