import { Button, Flex, Text } from '@chakra-ui/react';
import { journeyOf, type JourneyId } from '#machines/journeys.ts';

/** What the wizard says once a guided step is done: its result, and the step that is next or the end of the path. */
export function OfferBar(props: {
  result: string;
  next: JourneyId | null;
  complete: boolean;
  onNext: () => void;
  onClose: () => void;
}) {
  const { result, next, complete, onNext, onClose } = props;
  return (
    <Flex
      role="status"
      align="center"
      gap="3"
      wrap="wrap"
      p="3"
      bg="done.subtle"
      borderInlineStartWidth="4px"
      borderColor="done"
    >
      <Text flex="1" minWidth="16rem">
        <strong>Done:</strong> {result}. {complete && 'That was the last step: the guided path is complete.'}
      </Text>
      {next && !complete && (
        <Button variant="solid" onClick={onNext}>
          Next: {journeyOf(next).title}
        </Button>
      )}
      <Button onClick={onClose}>Back to the home page</Button>
    </Flex>
  );
}
