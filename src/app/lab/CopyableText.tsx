import { Box } from '@chakra-ui/react';
import { CopyButton } from '#ui/CopyButton.tsx';
import { CodeBlock } from '#ui/surfaces.tsx';

/** A text, unchanged, with a button that copies it. `what` names it. */
export function CopyableText({ text, what }: { text: string; what: string }) {
  return (
    <Box display="flex" gap="2" alignItems="start">
      <CodeBlock flex="1" maxHeight="10rem" aria-label={what}>
        {text}
      </CodeBlock>
      <CopyButton text={text} what={what} />
    </Box>
  );
}
