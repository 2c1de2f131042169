import { Box, Text } from '@chakra-ui/react';
import { useEffect, useRef, type ReactNode } from 'react';
import type { Box as Place } from './drawnChart.ts';

/** A scrollable frame for a drawing that may be larger than the page; scrolls `sight` to the centre. */
export function Drawing({ label, sight, children }: { label: string; sight?: Place; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!frame.current || !sight) return;
    frame.current.scrollLeft = sight.x + (sight.width - frame.current.clientWidth) / 2;
    frame.current.scrollTop = sight.y + (sight.height - frame.current.clientHeight) / 2;
  }, [sight]);
  return (
    <Box
      ref={frame}
      role="region"
      aria-label={label}
      tabIndex={0}
      overflow="auto"
      maxHeight="75dvh"
      borderWidth="1px"
      borderRadius="md"
      bg="bg"
      // Keeps the drawing's own colours even where the user's system sets the colours of texts.
      css={{ '& svg': { maxWidth: 'none' }, '@media (forced-colors: active)': { forcedColorAdjust: 'none' } }}
      _print={{ overflow: 'visible', maxHeight: 'none' }}
    >
      {children}
    </Box>
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
