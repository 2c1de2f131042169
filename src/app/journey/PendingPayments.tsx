import { Text } from '@chakra-ui/react';
import { PaymentTrail } from '#steps/payment/PaymentTrail.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { useFacts } from '../console/ConsoleProvider.tsx';
import { useResource } from '../console/useResource.ts';
import { resendPayment } from '../effects/payment.ts';

/** The payments whose outcome is unknown, or was until a few minutes ago; each can be resent under its key. */
export function PendingPayments() {
  const facts = useFacts();
  const { actor, acting, refused, failure } = useResource(resendPayment);
  return (
    <Stack gap="4">
      {facts?.pendingPayments.map((payment) => {
        const failed = payment.key === refused?.key && !payment.settled ? failure : null;
        return (
          <PaymentTrail
            key={payment.key}
            payment={payment}
            busy={acting !== null}
            onResend={() => actor.send({ type: 'act', act: 'resend', key: payment.key })}
          >
            {failed?.outcome === 'unknown' && !failed.repeat && <Text role="alert">Resent. {failed.detail}</Text>}
            {failed && (failed.outcome !== 'unknown' || failed.repeat) && <FailurePanel problem={failed} />}
          </PaymentTrail>
        );
      })}
    </Stack>
  );
}
