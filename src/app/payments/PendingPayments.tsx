import { useActorRef, useSelector } from '@xstate/react';
import { useEffect } from 'react';
import { Text } from '@chakra-ui/react';
import { useContextValues } from '#steps/kit/useContextValues.ts';
import { PaymentTrail } from '#steps/payment/PaymentTrail.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { useFacts, useSend } from '../console/console.tsx';
import { resendPayment } from '../effects/resendPayment.ts';

/** The payments whose outcome is unknown, or was until a few minutes ago; each can be resent under its key. */
export function PendingPayments() {
  const facts = useFacts();
  const send = useSend();
  const actor = useActorRef(resendPayment);
  const { key, failure } = useContextValues(actor, 'key', 'failure');
  const busy = useSelector(actor, (snapshot) => snapshot.hasTag('busy'));
  useEffect(() => {
    const changed = actor.on('facts.changed', () => send({ type: 'facts.stale' }));
    return () => changed.unsubscribe();
  }, [actor, send]);
  return (
    <Stack gap="4">
      {facts?.pendingPayments.map((payment) => {
        const failed = payment.key === key && !payment.settled ? failure : null;
        return (
          <PaymentTrail
            key={payment.key}
            payment={payment}
            busy={busy}
            onResend={() => actor.send({ type: 'payment.resend', key: payment.key })}
          >
            {failed?.outcome === 'unknown' && !failed.repeat && <Text role="alert">Resent. {failed.detail}</Text>}
            {failed && (failed.outcome !== 'unknown' || failed.repeat) && <FailurePanel problem={failed} />}
          </PaymentTrail>
        );
      })}
    </Stack>
  );
}
