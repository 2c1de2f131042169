import { Box, Button, chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { Facts } from '#contract/facts.ts';
import { nameOf, type JourneyId } from '#machines/journeys.ts';
import { Dialog } from '#ui/Dialog.tsx';
import { RailContent, railName } from './Rail.tsx';
import { placeOf } from './StepHeading.tsx';

function Drawer({ current, facts, onClose }: { current: JourneyId; facts: Facts; onClose: () => void }) {
  return (
    <Dialog title={railName(current)} titleHidden placement="side" closesOutside onClose={onClose}>
      <Flex justify="end">
        <Button size="sm" variant="ghost" onClick={onClose}>
          Close
        </Button>
      </Flex>
      {/* A link navigates to another step. */}
      <div onClick={({ target }) => target instanceof Element && target.closest('a') && onClose()}>
        <RailContent current={current} facts={facts} />
      </div>
    </Dialog>
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
        <chakra.span color="fg">{place || railName(current)}</chakra.span>
        {place && <span>{nameOf(current)}</span>}
        <span aria-hidden="true">▸</span>
      </Button>
      {open && facts && <Drawer current={current} facts={facts} onClose={() => setOpen(false)} />}
    </Box>
  );
}
