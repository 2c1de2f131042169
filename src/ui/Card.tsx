import { chakra } from '@chakra-ui/react';

/** A bordered surface that groups related content. */
export const Card = chakra('div', {
  base: { bg: 'bg', borderWidth: '1px', borderRadius: 'lg' },
});
