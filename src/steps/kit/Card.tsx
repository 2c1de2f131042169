import { chakra } from '@chakra-ui/react';

/** A surface on the page that holds one thing. */
export const Card = chakra('div', {
  base: { bg: 'bg', borderWidth: '1px', borderRadius: 'lg' },
});
