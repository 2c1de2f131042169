import { Box, Button, Heading } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useRef } from 'react';
import type { SubscriptionRow } from '#machines/subscription/authorisation.machine.ts';
import { FormFields } from '../kit/FormFields.tsx';
import { Waiting } from '../kit/Waiting.tsx';
import { useForm } from '../useForm.ts';
import type { AuthorisationActor } from './RowAction.tsx';

/** The provider's properties of a subscription, to be changed; then the wait for what the provider makes of it. */
export function UpdateForm({ actor, row }: { actor: AuthorisationActor; row: SubscriptionRow }) {
  const props = useForm(actor);
  const answering = useSelector(actor, (snapshot) => snapshot.matches({ updating: 'answering' }));
  const title = `Update of subscription ${row.subscriptionId}`;
  const section = useRef<HTMLDivElement>(null);
  useEffect(() => section.current?.focus(), [answering]);
  return (
    <Box ref={section} tabIndex={-1} _focus={{ outline: 'none' }} borderTopWidth="1px" pt="4">
      {answering ? (
        <Box display="grid" gap="3" justifyItems="start">
          <Heading as="h2">{title}</Heading>
          <Waiting>
            The update was forwarded; the provider’s webhook is awaited. Nothing is sent again if you stop.
          </Waiting>
          <Button onClick={props.onCancel}>Stop waiting</Button>
        </Box>
      ) : (
        <FormFields {...props} title={title} submitLabel="Send update" />
      )}
    </Box>
  );
}
