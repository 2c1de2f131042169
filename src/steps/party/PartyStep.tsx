import { Box, Button } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { debtorMachine } from '#machines/debtor.machine.ts';
import { FormFields } from '../kit/FormFields.tsx';
import { Waiting } from '../kit/Waiting.tsx';

/** A debtor's and a creditor's chart are one and the same. */
export type PartyActor = ActorRefFrom<typeof debtorMachine>;

/** The form of a debtor or creditor by the provider's rules, and the wait for the provider's webhook. */
export function PartyStep({ actor, submitLabel }: { actor: PartyActor; submitLabel: string }) {
  const { form, values, errors } = useSelector(actor, (snapshot) => snapshot.context);
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag('busy'));
  const answering = useSelector(actor, (snapshot) => snapshot.matches('answering'));
  const leave = () => actor.send({ type: 'form.cancel' });
  return (
    <Box display="grid" gap="5">
      {answering && (
        <Waiting
          actions={
            <Button size="sm" onClick={leave}>
              Stop waiting
            </Button>
          }
        >
          The message was forwarded; the provider’s webhook is awaited. Nothing is sent again if you leave.
        </Waiting>
      )}
      <FormFields
        form={form}
        values={values}
        errors={errors}
        busy={busy}
        submitLabel={submitLabel}
        onChange={(field, value) => actor.send({ type: 'form.change', field, value })}
        onSubmit={() => actor.send({ type: 'form.submit' })}
        onCancel={leave}
      />
    </Box>
  );
}
