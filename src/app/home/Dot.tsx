import { Box } from '@chakra-ui/react';

/** A mark for the state of a row: a check when done, a thick ring for the current row, a thin one for later ones. */
export function Dot({ done, present, word }: { done: boolean; present: boolean; word: string }) {
  return (
    <Box
      as="span"
      role="img"
      aria-label={word}
      flex="none"
      display="grid"
      placeItems="center"
      width="4"
      height="4"
      borderRadius="full"
      borderStyle="solid"
      borderWidth={present ? '5px' : '1.5px'}
      borderColor={present ? 'accent' : done ? 'done' : 'border'}
      bg={!present && done ? 'done' : 'transparent'}
      color="bg"
      fontSize="10px"
      lineHeight="1"
    >
      {!present && done && <span aria-hidden="true">✓</span>}
    </Box>
  );
}
