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

/**
 * The button beside the step's heading that fills a form with its examples, and once it did so empties it again; renders
 * nothing without `onFill`.
 */
export function FillButton(props: {
  onFill: (() => void) | undefined;
  /** Empties the fields that were filled; undefined unless they were. */
  onClear?: (() => void) | undefined;
  /** The form is being sent. */
  busy?: boolean;
}) {
  const { onFill, onClear, busy = false } = props;
  const note = useId();
  if (!onFill) return null;
  const said = onClear && 'Filled with examples';
  return (
    <BesideHeading>
      {/* The place of the button is the same with and without a note. */}
      <Flex columnGap="1" direction={onClear ? 'row' : 'column-reverse'} align={onClear ? 'center' : 'end'}>
        {said && (
          <Text id={note} color="fg.muted" fontSize="xs" lineHeight="xs">
            {said}
          </Text>
        )}
        <Button
          size="sm"
          variant={onClear ? 'ghost' : 'outline'}
          aria-disabled={busy}
          aria-describedby={said ? note : undefined}
          // The second click of a double click must not undo the first.
          onClick={(event) => !busy && event.detail < 2 && (onClear ?? onFill)()}
        >
          {onClear ? 'Clear' : 'Fill with example'}
        </Button>
      </Flex>
    </BesideHeading>
  );
}
