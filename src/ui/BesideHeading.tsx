import { Button, Flex, Text } from '@chakra-ui/react';
import { useId } from 'react';
import { BesideHeading } from './BesideHeading.tsx';

/** The button beside the step's heading that fills a form with its examples; renders nothing without `onFill`. */
export function FillButton(props: {
  onFill: (() => void) | undefined;
  /** The form is being sent. */
  busy?: boolean;
  /** Why there is nothing to fill in; false if there is. */
  done?: string | false;
}) {
  const { onFill, busy = false, done = false } = props;
  const reason = useId();
  if (!onFill) return null;
  const rests = busy || done !== false;
  return (
    <BesideHeading>
      <Flex gap="2" align="center" wrap="wrap">
        <Button
          size="sm"
          aria-disabled={rests}
          aria-describedby={done ? reason : undefined}
          onClick={rests ? undefined : onFill}
        >
          Fill with example
        </Button>
        {done && (
          <Text id={reason} color="fg.muted" fontSize="xs" lineHeight="xs">
            {done}
          </Text>
        )}
      </Flex>
    </BesideHeading>
  );
}
