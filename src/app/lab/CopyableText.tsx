import { Box } from '@chakra-ui/react';
import { CopyButton } from '#ui/CopyButton.tsx';

/** A text, unchanged, with a button that copies it. `what` names it. */
export function CopyableText({ text, what }: { text: string; what: string }) {
  return (
    <Box display="flex" gap="2" alignItems="start">
      <Box
        as="pre"
        tabIndex={0}
        flex="1"
        minWidth="0"
        maxHeight="10rem"
        overflow="auto"
        p="2"
        bg="bg.subtle"
        borderWidth="1px"
        borderRadius="sm"
        fontFamily="mono"
        fontSize="sm"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        aria-label={what}
      >
        {text}
      </Box>
      <CopyButton text={text} what={what} />
    </Box>
  );
}
