import { Box, Flex, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { Invoice, PendingPayment } from '#contract/payment.ts';
import { payAgainLabel, type PreparedPayment } from '#machines/payment/payment.ts';
import { PaymentTrail } from './PaymentTrail.tsx';
import { standingText } from './choices.ts';
import type { PaymentActor } from './paymentActor.ts';
import { Tick } from './Ticks.tsx';
import { Code } from '#ui/Code.tsx';
import { Callout } from '#ui/surfaces.tsx';
import { Time } from '#ui/Time.tsx';

/** Maximum number of covered invoices listed. */
const mostNamed = 10;

/** What is known of an earlier request whose outcome is unknown, and what resending it does; below the heading that says so. */
function Repeated({ sentAt, payment }: { sentAt: string; payment: PendingPayment | undefined }) {
  const words = (
    <Text>
      Resending sends the original batch under the same idempotency key, without later changes: nothing is paid twice.
    </Text>
  );
  if (payment)
    return (
      <PaymentTrail payment={payment} titled={false}>
        {words}
      </PaymentTrail>
    );
  return (
    <Callout role="note" tone="waiting" maxWidth="measure">
      <Text>
        This payment was sent <Time at={sentAt} />, and no response arrived.
      </Text>
      {words}
    </Callout>
  );
}

/** The invoices that have been paid, or may have been, and a checkbox that allows paying them again. */
function Covered({
  actor,
  covered,
  paid,
}: {
  actor: PaymentActor;
  covered: PreparedPayment['covered'];
  paid: readonly Invoice[];
}) {
  const again = useSelector(actor, ({ context }) => context.again);
  const unknown = covered.some(({ state }) => state === 'unknown');
  return (
    <Callout role="note" tone="waiting" maxWidth="measure">
      <Text fontWeight="medium">
        {covered.length} of these invoices {unknown ? 'may have been paid already' : 'have been paid already'}.
      </Text>
      <Box as="ul" ps="4" listStyleType="disc">
        {covered.slice(0, mostNamed).map((standing) => (
          <li key={standing.index}>
            <Code>{paid[standing.index]?.invoiceId}</Code>: {standingText(standing)}{' '}
            {standing.at !== undefined && <Time at={standing.at} exact />}
            {standing.says !== undefined && (
              <Text>
                {standing.state !== 'unknown' && 'The payments service says: '}
                {standing.says}
              </Text>
            )}
          </li>
        ))}
      </Box>
      {covered.length > mostNamed && <Text>And {covered.length - mostNamed} more.</Text>}
      <Flex asChild gap="2" align="center">
        <label>
          <Tick checked={again} onChange={(allowed) => actor.send({ type: 'again.allow', allowed })} />
          {payAgainLabel(covered)}
        </label>
      </Flex>
    </Callout>
  );
}

/** Notes on earlier payments of the same invoices, shown before Pay; `paid` are the invoices in the batch's order. */
export function Again({ actor, paid }: { actor: PaymentActor; paid: readonly Invoice[] }) {
  const prepared = useSelector(actor, ({ context }) => context.prepared);
  const open = useSelector(
    actor,
    (snapshot) => !snapshot.matches({ review: 'preparing' }) && !snapshot.matches({ review: 'unprepared' }),
  );
  const payment = useSelector(actor, ({ context }) =>
    context.facts.pendingPayments.find(({ key }) => key === context.prepared?.key),
  );
  if (!prepared || !open) return null;
  return (
    <>
      {prepared.sentAt && <Repeated sentAt={prepared.sentAt} payment={payment} />}
      {prepared.covered.length > 0 && <Covered actor={actor} covered={prepared.covered} paid={paid} />}
    </>
  );
}
