import { Box, Button } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { electronicPaymentMachine } from '#machines/payment.machine.ts';
import { FormatChoice } from './FormatChoice.tsx';
import { PaymentForm } from './PaymentForm.tsx';
import { PaymentReview } from './PaymentReview.tsx';

/** Electronic and file payments share one chart. */
export type PaymentActor = ActorRefFrom<typeof electronicPaymentMachine>;

/** Paying invoices (spec, section 2: /electronicpayments and /filepayments): template, choice, review. */
export default function PaymentStep({ actor }: { actor: PaymentActor }) {
  const choosingFormat = useSelector(actor, (snapshot) => snapshot.matches('choosingFormat'));
  const choosing = useSelector(actor, (snapshot) => snapshot.matches('editing') || snapshot.matches('invalid'));
  if (choosingFormat)
    return (
      <Box display="grid" gap="5" maxWidth="form" justifyItems="start">
        <FormatChoice actor={actor} />
        <Button onClick={() => actor.send({ type: 'form.cancel' })}>Cancel</Button>
      </Box>
    );
  return choosing ? <PaymentForm actor={actor} /> : <PaymentReview actor={actor} />;
}
