import { Box, Button } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { debtorMachine } from '#machines/debtor.machine.ts';
import { FormFields } from '../kit/FormFields.tsx';
import { Waiting } from '../kit/Waiting.tsx';
import { useForm } from '../useForm.ts';

/** A debtor's and a creditor's chart are one and the same. */
export type PartyActor = ActorRefFrom<typeof debtorMachine>;

/** The form of a debtor or creditor by the provider's rules, and the wait for the provider's webhook. */
export function PartyStep({ actor, submitLabel }: { actor: PartyActor; submitLabel: string }) {
  const form = useForm(actor);
  const answering = useSelector(actor, (snapshot) => snapshot.matches('answering'));
  return (
    <Box display="grid" gap="5">
      {answering && (
        <Waiting
          actions={
            <Button size="sm" onClick={form.onCancel}>
              Stop waiting
            </Button>
          }
        >
          The message was forwarded; the provider’s webhook is awaited. Nothing is sent again if you leave.
        </Waiting>
      )}
      <FormFields {...form} submitLabel={submitLabel} />
    </Box>
  );
}
