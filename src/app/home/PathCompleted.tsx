import { Button, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import type { BatchRecord } from '#contract/batch.ts';
import { exportPath } from '#contract/exports.ts';
import type { Facts } from '#contract/facts.ts';
import { addressOf, journeyOf } from '#machines/journeys.ts';
import { groupedAmounts } from '#rules/batch.ts';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { Time } from '#ui/Time.tsx';
import { Card } from '#ui/surfaces.tsx';
import { another } from '../step/createAnother.ts';
import { Progress } from '../step/GuidedHeader.tsx';

/** The end of the guided path: the last batch and the actions available next. */
export function PathCompleted({ facts, of }: { facts: Facts; of: number }) {
  const last = (JSON.parse(facts.settings.postedBatches) as BatchRecord[]).at(-1); // the server assembles it by this shape
  return (
    <Card size="lg">
      <Text fontSize="xs" fontWeight="medium" color="fg.muted">
        All {of} steps are done
      </Text>
      {last && (
        <Flex align="center" gap="3" wrap="wrap">
          <Heading as="h2" size="xl" fontVariantNumeric="tabular-nums">
            {groupedAmounts(last.amount)}
          </Heading>
          <Badge tone={toneOf(facts.batchStatus)}>{facts.batchStatus}</Badge>
        </Flex>
      )}
      <Text fontSize="sm" color="fg.muted">
        The guided path is complete.{' '}
        {last && (
          <>
            Last batch posted <Time at={last.postedAt} />.{' '}
            <Link asChild>
              <RouterLink
                to={`${journeyOf('batch').path}?${new URLSearchParams({ batchId: last.batchId }).toString()}`}
              >
                View its payments
              </RouterLink>
            </Link>
            .
          </>
        )}
      </Text>
      <Flex gap="2" wrap="wrap" pt="3">
        <Button asChild variant="solid">
          <RouterLink to={addressOf('electronicPayment', { guided: true })} {...another}>
            Pay another
          </RouterLink>
        </Button>
        {facts.environment === 'sandbox' && (
          <Button asChild aria-describedby="simulate-a-failure">
            <RouterLink to={addressOf('creditor', { guided: true })} {...another}>
              Simulate a failure
            </RouterLink>
          </Button>
        )}
        <Button asChild>
          <a href={exportPath} download>
            Export this run
          </a>
        </Button>
        <Button asChild>
          <RouterLink to="/run">Save as script</RouterLink>
        </Button>
      </Flex>
      {facts.environment === 'sandbox' && (
        <Text id="simulate-a-failure" fontSize="xs" color="fg.muted" pt="2">
          To simulate a failed payment, pay a creditor whose name contains “fails”.
        </Text>
      )}
      <Progress done={of} of={of} />
    </Card>
  );
}
