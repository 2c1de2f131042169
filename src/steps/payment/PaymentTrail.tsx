import { Box, Button, Flex, Heading, Link, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { resendLabel } from '#contract/outcome.ts';
import type { PendingPayment } from '#contract/payment.ts';
import { statusOf } from '#contract/status.ts';
import { batch } from '#machines/batch/journeys.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { counted } from '#rules/counted.ts';
import { toneOf } from '#ui/Badge.tsx';
import { ShortId } from '#ui/CopyButton.tsx';
import { Callout } from '#ui/surfaces.tsx';
import { Trail, type TrailEvent } from '#ui/Trail.tsx';

/** The outcome of a settled payment in words: only a completed batch is paid. */
const outcomeWords = (status: string): string =>
  statusOf(status) === 'Completed' ? 'Paid once' : `Sent once, the batch is ${status}`;

function toneOfOutcome(status: string): 'done' | 'failed' | 'waiting' {
  const tone = toneOf(status);
  return tone === 'done' || tone === 'failed' ? tone : 'waiting';
}

const named = {
  webhook: 'Webhook names batch',
  read: 'The service has batch',
  response: 'Resent: response names batch',
};

/** Links to the entries of an interaction in the timeline. */
function InTimeline({ id, children }: { id: string; children: string }) {
  if (id === '') return null;
  return (
    <Link asChild>
      <RouterLink to={`/timeline?${new URLSearchParams({ show: 'all', interaction: id }).toString()}`}>
        {children}
      </RouterLink>
    </Link>
  );
}

/** What is known of a payment whose response was lost, in order; once it is settled, to its outcome. */
function eventsOf({ externalId, sentAt, lost, interactionId, settled }: PendingPayment): TrailEvent[] {
  const known: TrailEvent[] = [
    {
      id: 'sent',
      at: Date.parse(sentAt),
      what: 'Request sent',
      tone: 'done',
      how: <InTimeline id={interactionId}>Request</InTimeline>,
    },
    { id: 'lost', at: NaN, what: lost, how: '', tone: 'failed' },
  ];
  if (!settled)
    return [
      ...known,
      { id: 'awaited', at: NaN, what: 'Waiting for a webhook that names this payment', how: '', tone: 'waiting' },
    ];
  const { batchId, status, at, by, interactionId: reportedBy } = settled;
  return [
    ...known,
    {
      id: 'named',
      at: Date.parse(at),
      tone: 'done',
      what: (
        <>
          {named[by]} <ShortId value={batchId} />
        </>
      ),
      how: <InTimeline id={reportedBy}>{by === 'webhook' ? 'Webhook' : 'Response'}</InTimeline>,
    },
    {
      id: 'matches',
      at: NaN,
      tone: 'done',
      how: '',
      what: (
        <>
          Reference matches: <ShortId value={externalId} />
        </>
      ),
    },
    {
      id: 'outcome',
      at: NaN,
      what: outcomeWords(status),
      how: '',
      tone: toneOfOutcome(status),
    },
  ];
}

/**
 * A payment whose response was lost: what is known of it, and one button that resends it while that cannot pay twice.
 * Once a batch with its reference is known, how it was found. `children` stand below, such as a failure.
 */
export function PaymentTrail({
  payment,
  busy = false,
  leads = true,
  titled = true,
  onResend,
  children,
}: {
  payment: PendingPayment;
  busy?: boolean;
  /** Whether it links to the batch that settled it. */
  leads?: boolean;
  /** Whether it has a heading; absent below one that says the same. */
  titled?: boolean;
  onResend?: () => void;
  children?: ReactNode;
}) {
  const { payments, amount, settled, isRepeatable } = payment;
  const isOpen = settled === undefined;
  return (
    <Callout
      as="section"
      aria-label={`Payment of ${groupedAmounts(amount)}`}
      tone={isOpen ? 'waiting' : toneOfOutcome(settled.status)}
    >
      <Flex justify="space-between" align="baseline" columnGap="4" wrap="wrap">
        {titled && (
          <Heading as="h2" size="md">
            <span role="status">{isOpen ? 'Outcome unknown' : outcomeWords(settled.status)}</span>
          </Heading>
        )}
        <Text fontVariantNumeric="tabular-nums">
          {groupedAmounts(amount)} · {counted(payments, 'payment')}
        </Text>
      </Flex>
      <Trail events={eventsOf(payment)} label="What is known of this payment" />
      {isOpen && !isRepeatable && (
        <Text>
          The service may have forgotten the idempotency key, so the payment is not resent. Check at the service whether
          it has the payment.
        </Text>
      )}
      {children}
      <Box _empty={{ display: 'none' }}>
        {isOpen && isRepeatable && onResend && (
          <Button variant="solid" aria-disabled={busy} onClick={busy ? undefined : onResend}>
            {busy ? 'Resending …' : resendLabel}
          </Button>
        )}
        {!isOpen && leads && (
          <Link asChild>
            <RouterLink to={`${batch.path}?${new URLSearchParams({ batchId: settled.batchId }).toString()}`}>
              View batch
            </RouterLink>
          </Link>
        )}
      </Box>
    </Callout>
  );
}
