import { Flex } from '@chakra-ui/react';
import { CopyButton } from '#ui/CopyButton.tsx';
import { CodeBlock } from '#ui/surfaces.tsx';

/** A text, unchanged, with a button in its box that copies it. `what` names it. */
export function CopyableText({ text, what }: { text: string; what: string }) {
  return (
    <Flex
      gap="2"
      align="center"
      ps="3"
      pe="2"
      py="1.5"
      borderWidth="1px"
      borderColor="transparent"
      bg="bg.muted"
      borderRadius="md"
    >
      <CodeBlock flex="1" maxHeight="10rem" p="0" bg="transparent" borderWidth="0" aria-label={what}>
        {text}
      </CodeBlock>
      <CopyButton text={text} what={what} />
    </Flex>
  );
}
