import { Button, Flex, Text } from '@chakra-ui/react';
import { useId, createContext, use, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** The DOM element beside a step's heading; undefined without a frame, null until the frame is rendered. */
const Place = createContext<HTMLElement | null | undefined>(undefined);
export const BesideHeadingProvider = Place.Provider;

/** Renders its children beside the step's heading; without a frame, in place. */
export function BesideHeading({ children }: { children: ReactNode }) {
  const place = use(Place);
  if (place === undefined) return <Flex justify="end">{children}</Flex>;
  return place && createPortal(children, place);
}

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
