import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A line of controls above entries, which take the rest of the height. */
export const whole = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gridTemplateRows: 'auto minmax(0, 1fr)',
  minHeight: '0',
  height: 'full',
  bg: 'bg',
} as const;

/** The place of the open entry on a wide page. */
export const beside = { lg: '2 / -1' } as const;

/**
 * A list of entries, and the one that is open beside or below it. A narrow page shows either of them, and both
 * while another entry is chosen (`chooses`).
 */
export function Split(props: { entry: ReactNode; chooses?: boolean; children: ReactNode }) {
  const { entry, chooses = false, children } = props;
  const both = 'minmax(6rem, 1fr) minmax(0, 2fr)';
  return (
    <Box
      display="grid"
      minHeight="0"
      gridTemplateColumns={{
        base: 'minmax(0, 1fr)',
        lg: entry ? 'minmax(24rem, 2fr) minmax(0, 3fr)' : 'minmax(0, 1fr)',
      }}
      gridTemplateRows={{
        base: entry && chooses ? both : 'minmax(0, 1fr)',
        md: entry ? both : 'minmax(0, 1fr)',
        lg: 'minmax(0, 1fr)',
      }}
    >
      {/* The list's own header stays above what has the focus. */}
      <Box
        overflow="auto"
        scrollPaddingTop="8"
        minHeight="0"
        tabIndex={-1}
        hideBelow={entry && !chooses ? 'md' : undefined}
      >
        {children}
      </Box>
      {entry}
    </Box>
  );
}
