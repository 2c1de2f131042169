import { Button, Flex, Text } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';

/** What the wizard says once a step is done: its result, and where it offers to go: on, back, or the end of the path. */
export function OfferBar(props: {
  result: string;
  /** The offer in words, null at the end of the path. */
  offer: string | null;
  complete: boolean;
  onNext: () => void;
  onClose: () => void;
  /** The form that had the focus is gone. */
  takesFocus: boolean;
}) {
  const { result, offer, complete, onNext, onClose, takesFocus } = props;
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) bar.current?.focus();
  }, [takesFocus]);
  return (
    <Flex
      ref={bar}
      tabIndex={-1}
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
        <strong>Done:</strong> {result}. {complete && 'The guided path is complete.'}
      </Text>
      {offer !== null && (
        <Button variant="solid" onClick={onNext}>
          {offer}
        </Button>
      )}
      <Button onClick={onClose}>Back to the home page</Button>
    </Flex>
  );
}
