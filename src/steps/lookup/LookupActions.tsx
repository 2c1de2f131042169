import { Button, Flex } from '@chakra-ui/react';

/** What can be done on a page that asks and shows: ask once more, leave. */
export function LookupActions({ actor }: { actor: { send: (event: { type: 'retry' | 'form.cancel' }) => void } }) {
  return (
    <Flex gap="2">
      <Button onClick={() => actor.send({ type: 'retry' })}>Check again</Button>
      <Button onClick={() => actor.send({ type: 'form.cancel' })}>Close</Button>
    </Flex>
  );
}
