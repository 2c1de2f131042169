import { Button, Text } from '@chakra-ui/react';
import { Link, useLocation } from 'react-router-dom';
import { alerts, type AlertId } from '#contract/alerts.ts';
import type { Meta } from '#machines/gate.ts';
import type { Facts } from '#contract/facts.ts';
import { addressOf, nameOf, providing } from '#machines/journeys.ts';
import { requirement } from '#machines/requirements.ts';
import { AlertDialog } from '#steps/kit/AlertDialog.tsx';

/**
 * A gate: what is missing, where that stands, the way home and the way to the journey that provides it, which comes
 * back here afterwards (ux, rule 1). Where no requirement but a choice keeps the gate closed, another choice.
 */
export function Gate(props: {
  alert: AlertId;
  meta: Meta;
  facts: Facts | null;
  guided: boolean;
  onClose: () => void;
  onInstead: (event: string) => void;
}) {
  const { alert, facts, guided, onClose, onInstead } = props;
  const { lacks, description, instead } = props.meta;
  const { pathname, search } = useLocation();
  const provider = lacks && providing(lacks);
  return (
    <AlertDialog
      title={alerts[alert]}
      onClose={onClose}
      actions={
        <>
          {provider && (
            <Button asChild variant="solid">
              <Link to={addressOf(provider, { then: pathname + search, guided })}>Go to {nameOf(provider)}</Link>
            </Button>
          )}
          {instead && (
            <Button variant="solid" onClick={() => onInstead(instead.event)}>
              {instead.label}
            </Button>
          )}
        </>
      }
    >
      <Text>{lacks && facts ? `${requirement(lacks).stands(facts)}.` : `${description}.`}</Text>
    </AlertDialog>
  );
}
