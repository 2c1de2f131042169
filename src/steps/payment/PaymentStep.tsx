import { Box } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { electronicPaymentMachine } from '#machines/payment/payment.machine.ts';
import { Bar } from '#ui/Bar.tsx';
import { FormatChoice } from './DateChoice.tsx';
import { PaymentForm } from './PaymentForm.tsx';
import { useReviewAddress } from './useReviewAddress.ts';
import { SettledPayment } from './SettledPayment.tsx';
import { PaymentReview } from './PaymentReview.tsx';
import { Stack } from '#ui/surfaces.tsx';

/** Electronic and file payments share one statechart. */
export type PaymentActor = ActorRefFrom<typeof electronicPaymentMachine>;

/** The states that show the form; in 'listing', another number of invoices is being read. */
const choosingStates = ['editing', 'invalid', 'listing'] as const;

/** Pays invoices: template, form, review (behaviour, section 2: /electronicpayments and /filepayments). */
export function PaymentStep({ actor }: { actor: PaymentActor }) {
  const choosingFormat = useSelector(actor, (snapshot) => snapshot.matches('choosingFormat'));
  const byFile = useSelector(actor, ({ context }) => choosingFormat || context.format !== null);
  const choosing = useSelector(actor, (snapshot) => choosingStates.some((state) => snapshot.matches(state)));
  const settled = useSelector(actor, (snapshot) => snapshot.matches('settled'));
  useReviewAddress(actor, settled ? null : !choosingFormat && !choosing);
  if (settled) return <SettledPayment actor={actor} />;
  if (!choosingFormat && !choosing) return <PaymentReview actor={actor} />;
  return (
    <Stack gap="5">
      {/* Stays mounted when the form opens below it, so that it keeps the focus. */}
      {byFile && (
        <Box maxWidth="form">
          <FormatChoice actor={actor} />
        </Box>
      )}
      {choosing ? (
        <PaymentForm actor={actor} />
      ) : (
        <Bar leave={[{ label: 'Cancel', onPress: () => actor.send({ type: 'form.cancel' }) }]} />
      )}
    </Stack>
  );
}
