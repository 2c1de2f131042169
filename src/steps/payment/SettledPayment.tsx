import { useSelector } from '@xstate/react';
import { settledIn } from '#machines/payment/payment.ts';
import { batch } from '#machines/batch/journeys.ts';
import { Bar } from '#ui/Bar.tsx';
import type { PaymentActor } from './paymentActor.ts';
import { PaymentTrail } from './PaymentTrail.tsx';

/** A payment whose response was lost and whose batch is known meanwhile. */
export function SettledPayment({ actor }: { actor: PaymentActor }) {
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
