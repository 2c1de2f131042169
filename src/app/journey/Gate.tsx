import { Box, Button, Text } from '@chakra-ui/react';
import { Link, useLocation } from 'react-router-dom';
import { alerts } from '#contract/alerts.ts';
import type { ShownGate } from '#machines/lib/gate.ts';
import type { Facts } from '#contract/facts.ts';
import { addressOf, nameOf, type JourneyId } from '#machines/journeys.ts';
import { alternativeStep, missingText, nextStepFor, otherSubscription } from '#machines/unblock.ts';
import { AlertDialog, initialFocus } from '#ui/Dialog.tsx';
import { SwitchSubscription } from './SwitchSubscription.tsx';

/**
 * A gate: what is missing, its current state, a link home, and what the user can do (behaviour, section 10.1). The
 * journey that provides the missing item returns to this page afterwards. If another stored subscription would meet the
 * requirement, the gate offers it; if the gate results from a choice, it offers to choose again.
 */
export function Gate(props: {
  journey: JourneyId;
  gate: ShownGate;
  facts: Facts;
  guided: boolean;
  onClose: () => void;
  onInstead: (event: string) => void;
}) {
  const { journey, facts, guided, onClose, onInstead } = props;
  const { alert, missing: lacks, description, instead } = props.gate;
  const { pathname, search } = useLocation();
  const way = lacks && nextStepFor(lacks, facts);
  const another = lacks && alternativeStep(lacks, facts);
  const alternative = lacks && otherSubscription(journey, lacks, facts);
  const stands = lacks ? missingText(journey, lacks, facts) : description;
  const leadsTo = (id: JourneyId, another = false) => addressOf(id, { then: pathname + search, guided, another });
  return (
    <AlertDialog
      title={alerts[alert]}
      onClose={onClose}
      closeLabel="Back to home"
      actions={
        <>
          {way && (
            <Button asChild variant="solid" {...initialFocus}>
              <Link to={leadsTo(way.journey)}>Go to {nameOf(way.journey)}</Link>
            </Button>
          )}
          {another && (
            <Button asChild>
              <Link to={leadsTo(another, true)}>Go to {nameOf(another)}</Link>
            </Button>
          )}
          {instead && (
            <Button variant="solid" {...initialFocus} onClick={() => onInstead(instead.event)}>
              {instead.label}
            </Button>
          )}
        </>
      }
    >
      <Box display="grid" gap="3" overflowWrap="anywhere" _empty={{ display: 'none' }}>
        {stands && <Text>{stands}.</Text>}
        {alternative && <SwitchSubscription alternative={alternative} />}
      </Box>
    </AlertDialog>
  );
}
