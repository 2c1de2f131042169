import { Button, Text } from '@chakra-ui/react';
import { Link, useLocation } from 'react-router-dom';
import { alerts, type AlertId } from '#contract/alerts.ts';
import type { Facts } from '#contract/facts.ts';
import { addressOf, journeyOf, providing } from '#machines/journeys.ts';
import { requirement, type RequirementId } from '#machines/requirements.ts';
import { AlertDialog } from '#steps/kit/AlertDialog.tsx';

/**
 * A gate: what is missing, where that stands, the way home and the way to the journey that provides it, which comes
 * back here afterwards (ux, rule 1). `lacks` is absent where no requirement but a choice keeps the gate closed.
 */
export function Gate(props: {
  alert: AlertId;
  lacks: RequirementId | undefined;
  description: string;
  facts: Facts | null;
  guided: boolean;
  onClose: () => void;
}) {
  const { alert, lacks, description, facts, guided, onClose } = props;
  const { pathname, search } = useLocation();
  const provider = lacks && providing(lacks);
  return (
    <AlertDialog
      title={alerts[alert]}
      onClose={onClose}
      actions={
        provider && (
          <Button asChild variant="solid">
            <Link to={addressOf(provider, { then: pathname + search, guided })}>Go to {journeyOf(provider).title}</Link>
          </Button>
        )
      }
    >
      <Text>{lacks && facts ? `${requirement(lacks).stands(facts)}.` : `${description}.`}</Text>
    </AlertDialog>
  );
}
