import { Box, chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** The area of a plot, of one height whether it is empty or not; `label` says in a sentence what it shows. */
export function Plot({ label, empty, children }: { label: string; empty: string; children: ReactNode }) {
  return (
    <Box role="img" aria-label={label} position="relative" height="6rem" mt="2">
      {children}
      <Box position="absolute" insetInline="0" bottom="0" borderTopWidth="1px" borderColor="border" />
      {empty !== '' && (
        <Box position="absolute" inset="0" display="grid" placeItems="center" fontSize="sm" color="fg.muted">
          {empty}
        </Box>
      )}
    </Box>
  );
}

/** Columns of equal width from the left to the right, each from the bottom up. */
export const Columns = chakra('div', {
  base: {
    position: 'absolute',
    insetInline: '0',
    top: '3',
    bottom: '1px',
    display: 'flex',
    alignItems: 'stretch',
    gap: '1px',
    '& > *': {
      flex: '1 1 0',
      minWidth: '0',
      position: 'relative',
      display: 'flex',
      flexDirection: 'column-reverse',
      alignItems: 'stretch',
    },
  },
});

const forced = { '@media (forced-colors: active)': { forcedColorAdjust: 'none', background: 'CanvasText' } } as const;

/** A part of a column: its height is a share of the whole plot. */
export const Block = chakra('i', { base: { display: 'block', minHeight: '2px', ...forced } });

/** A cross above what has failed. */
export const Cross = chakra('span', {
  base: { color: 'failed', fontSize: '10px', lineHeight: '12px', textAlign: 'center', whiteSpace: 'nowrap', mx: '-2' },
});
