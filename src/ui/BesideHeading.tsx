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

/** How to empty the fields that hold their examples. */
export interface Filled {
  clear: () => void;
  /** Whether all values of the form are examples; otherwise the user has entered some, which stay. */
  isAll: boolean;
}

/**
 * The button beside the step's heading that fills a form with its examples, and once it did so empties it again; renders
 * nothing without `onFill`.
 */
export function FillButton(props: {
  onFill: (() => void) | undefined;
  /** Undefined unless the form was filled. */
  filled?: Filled | undefined;
  /** The form is being sent. */
  busy?: boolean;
}) {
  const { onFill, filled, busy = false } = props;
  const note = useId();
  if (!onFill) return null;
  const said = filled?.isAll && 'Filled with examples';
  return (
    <BesideHeading>
      {/* The place of the button is the same with and without a note. */}
      <Flex columnGap="1" direction={said ? 'row' : 'column-reverse'} align={said ? 'center' : 'end'}>
        {said && (
          <Text id={note} color="fg.muted" fontSize="xs" lineHeight="xs">
            {said}
          </Text>
        )}
        <Button
          size="sm"
          variant={filled ? 'ghost' : 'outline'}
          aria-disabled={busy}
          aria-describedby={said ? note : undefined}
          // The second click of a double click must not undo the first.
          onClick={(event) => !busy && event.detail < 2 && (filled?.clear ?? onFill)()}
        >
          {said ? 'Clear' : filled ? 'Clear examples' : 'Fill with example'}
        </Button>
      </Flex>
    </BesideHeading>
  );
}
