import { Box, Button, chakra, Flex } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import type { Facts } from '#contract/facts.ts';
import { nameOf, type JourneyId } from '#machines/journeys.ts';
import { useFocusReturn } from '#ui/useFocusReturn.ts';
import { RailSteps } from './Rail.tsx';
import { placeOf } from './StepHeading.tsx';

const Panel = chakra('dialog', {
  base: {
    position: 'fixed',
    inset: '0 auto 0 0',
    margin: '0',
    width: 'min(20rem, 100%)',
    height: '100dvh',
    maxHeight: '100dvh',
    p: '6',
    bg: 'bg',
    color: 'fg',
    borderWidth: '0',
    borderEndWidth: '1px',
    overflow: 'auto',
  },
});

function Drawer({ current, facts, onClose }: { current: JourneyId; facts: Facts; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useFocusReturn();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <Panel
      ref={dialog}
      aria-label="Guided path"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A click outside the panel hits the backdrop, which belongs to the dialog; a link navigates to another step.
      onClick={({ target }) =>
        (target === dialog.current || (target instanceof Element && target.closest('a'))) && onClose()
      }
    >
      <Flex justify="end">
        <Button size="sm" variant="ghost" onClick={onClose}>
          Close
        </Button>
      </Flex>
      <RailSteps current={current} facts={facts} />
    </Panel>
  );
}

/** The rail on a narrow page: one line that opens it as a drawer. */
export function RailLine({ current, facts }: { current: JourneyId; facts: Facts | null }) {
  const [open, setOpen] = useState(false);
  const place = placeOf(current, facts);
  return (
    <Box hideFrom="lg" _print={{ display: 'none' }} gridColumn="1 / -1" borderBottomWidth="1px" px="6" py="1">
      <Button
        variant="ghost"
        size="sm"
        ms="-2.5"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <chakra.span color="fg">{place || 'Guided path'}</chakra.span>
        {place && <span>{nameOf(current)}</span>}
        <span aria-hidden="true">▸</span>
      </Button>
      {open && facts && <Drawer current={current} facts={facts} onClose={() => setOpen(false)} />}
    </Box>
  );
}
