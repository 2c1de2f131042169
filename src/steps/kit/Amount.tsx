import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** Figures below each other, at the end of the line. */
export const Amount = ({ children }: { children: ReactNode }) => (
  <Box as="span" display="block" textAlign="end" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
    {children}
  </Box>
);
