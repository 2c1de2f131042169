import { Box } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { Bar } from '#ui/Bar.tsx';
import { FormatChoice } from './DateChoice.tsx';
import { PaymentForm } from './PaymentForm.tsx';
import type { PaymentActor } from './paymentActor.ts';
import { useReviewAddress } from './useReviewAddress.ts';
import { PaymentReview } from './PaymentReview.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { settledIn } from '#machines/payment/payment.ts';
import { batch } from '#machines/batch/journeys.ts';
import { PaymentTrail } from './PaymentTrail.tsx';

/** A payment whose response was lost and whose batch is known meanwhile. */
function SettledPayment({ actor }: { actor: PaymentActor }) {
  const payment = useSelector(actor, ({ context }) => settledIn(context.facts, context));
  const batchId = payment?.settled?.batchId ?? '';
  return (
    <>
      {payment && <PaymentTrail payment={payment} leads={false} />}
      <Bar
        leave={[{ label: 'Close', onPress: () => actor.send({ type: 'form.cancel' }) }]}
        primary={{ label: 'View batch', to: `${batch.path}?${new URLSearchParams({ batchId }).toString()}` }}
      />
    </>
  );
}

/** Pays invoices: template, form, review (behaviour, section 2: /electronicpayments and /filepayments). */
export function PaymentStep({ actor }: { actor: PaymentActor }) {
  const choosing = useSelector(actor, (snapshot) => snapshot.matches('choosing'));
  const byFile = useSelector(actor, ({ context }) => context.kind === 'file');
  const hasForm = useSelector(actor, ({ context }) => context.kind === 'electronic' || context.format !== null);
  const settled = useSelector(actor, (snapshot) => snapshot.matches({ review: 'settled' }));
  useReviewAddress(actor);
  if (settled) return <SettledPayment actor={actor} />;
  if (!choosing) return <PaymentReview actor={actor} />;
  return (
    <Stack gap="5">
      {/* Stays mounted when the form opens below it, so that it keeps the focus. */}
      {byFile && (
        <Box maxWidth="form">
          <FormatChoice actor={actor} />
        </Box>
      )}
      {hasForm ? (
        <PaymentForm actor={actor} />
      ) : (
        <Bar leave={[{ label: 'Cancel', onPress: () => actor.send({ type: 'form.cancel' }) }]} />
      )}
    </Stack>
  );
}
