import { Box } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';
import { Inspector } from './inspector/slot.ts';

/** From this width, the inspector is beside the step; the theme's breakpoint `md`. */
const beside = '(min-width: 50rem)';

/** The inspector in its place: beside the step, or below it on a narrow page. */
export function InspectorRegion(props: {
  id: JourneyId;
  journey: AnyActorRef;
  snapshot: AnyMachineSnapshot;
  record: string;
  /** The id of the step's earlier result, if it is shown instead of the step. */
  made: string | undefined;
  /** Whether the user wants to read the record: if the inspector is below the list, the focus moves there. */
  moved: boolean;
  /** Whether it is open beside the step on a wide page; on a narrow page it always follows below. */
  open: boolean;
  onClose: (() => void) | undefined;
}) {
  const { id, journey, snapshot, record, made, moved, open, onClose } = props;
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (record === '' || !moved || matchMedia(beside).matches) return;
    region.current?.focus({ preventScroll: true });
    region.current?.scrollIntoView({ block: 'start' });
  }, [record, moved]);
  return (
    <Box
      ref={region}
      tabIndex={-1}
      outline="none"
      display={{ md: open ? 'block' : 'none' }}
      bg="bg.subtle"
      borderStartWidth={{ md: '1px' }}
      borderTopWidth={{ base: '1px', md: '0' }}
      minWidth="0"
    >
      <Box
        position={{ md: 'sticky' }}
        top={{ base: '0', lg: '{sizes.top}' }}
        maxHeight={{
          md: 'calc(100dvh - var(--below, 5rem))',
          lg: 'calc(100dvh - {sizes.top} - var(--below, 5rem))',
        }}
        overflow={{ md: 'auto' }}
      >
        <Inspector id={id} journey={journey} snapshot={snapshot} record={record} made={made} onClose={onClose} />
      </Box>
    </Box>
  );
}
