import { Button, Flex, Link, Text } from '@chakra-ui/react';
import { Link as RouterLink, useNavigate } from 'react-router-dom';
import type { BatchRecord } from '#contract/batch.ts';
import { exportPath } from '#contract/exports.ts';
import type { Facts } from '#contract/facts.ts';
import { addressOf, journeyOf } from '#machines/journeys.ts';
import { isPathComplete } from '#machines/outcome.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { Time } from '#ui/Time.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { loadSimulation, PractiseFailures } from '../routes.ts';

/** Fails a payment in one press, and opens the sequence of its calls. */
function SimulateFailure() {
  const navigate = useNavigate();
  const simulate = async () => (await loadSimulation())((to) => void navigate(to));
  return (
    <Button
      title="Loses the response to a payment in a rehearsal company, resends it, and shows the sequence of the calls"
      onClick={() => void simulate()}
    >
      Simulate a failure
    </Button>
  );
}

/** The last batch in one line. */
function LastBatch({ facts }: { facts: Facts }) {
  const last = (JSON.parse(facts.settings.postedBatches) as BatchRecord[]).at(-1); // the server assembles it by this shape
  if (!last) return null;
  const query = new URLSearchParams({ batchId: last.batchId }).toString();
  return (
    <Flex align="baseline" columnGap="2" wrap="wrap" fontSize="sm" color="fg.muted">
      <Text as="span" fontSize="lg" fontWeight="medium" color="fg" fontVariantNumeric="tabular-nums">
        {groupedAmounts(last.amount)}
      </Text>
      <Badge tone={toneOf(facts.batchStatus)}>{facts.batchStatus}</Badge>
      <span>
        posted <Time at={last.postedAt} />.{' '}
        <Link asChild>
          <RouterLink to={`${journeyOf('batch').path}?${query}`}>View its payments</RouterLink>
        </Link>
      </span>
    </Flex>
  );
}

/**
 * The end of the guided path: the last batch, and what to do next: after a failure, to see what has failed. On the sandbox
 * also the failures to practise.
 */
export function PathCompleted({ facts }: { facts: Facts }) {
  const isSandbox = facts.environment === 'sandbox';
  return (
    <Stack gap="6">
      <Stack gap="3">
        <LastBatch facts={facts} />
        <Flex gap="2" wrap="wrap">
          <Button asChild variant="solid">
            {isPathComplete(facts) ? (
              <RouterLink to={addressOf('electronicPayment', { guided: true, another: true })}>Pay again</RouterLink>
            ) : (
              <RouterLink to={addressOf('batch', { guided: true })}>View failed payments</RouterLink>
            )}
          </Button>
          {isSandbox && <SimulateFailure />}
          <Button asChild variant="ghost">
            <a href={exportPath} download>
              Export this run
            </a>
          </Button>
        </Flex>
      </Stack>
      {isSandbox && <PractiseFailures />}
    </Stack>
  );
}
