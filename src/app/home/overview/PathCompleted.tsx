import { Box, Button, Flex } from '@chakra-ui/react';
import { Link as RouterLink, useNavigate } from 'react-router-dom';
import type { BatchRecord } from '#contract/batch.ts';
import { exportPath } from '#contract/exports.ts';
import type { Facts } from '#contract/facts.ts';
import { addressOf, journeyOf } from '#machines/journeys.ts';
import { isPathComplete, unpaidTitle } from '#machines/outcome.ts';
import { standingOf } from '#rules/batch.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { TitleLine } from '#ui/StepTitle.tsx';
import { Time } from '#ui/Time.tsx';
import { Eyebrow, PageHeading } from '#app/frame/PageHeading.tsx';

/** Loads what simulates a failure, and shows it at the address that it is given. */
type LoadSimulation = () => Promise<(go: (to: string) => void) => unknown>;

/** Fails a payment in one press, and opens the sequence of its calls. */
function SimulateFailure({ load }: { load: LoadSimulation }) {
  const navigate = useNavigate();
  const simulate = async () => (await load())((to) => void navigate(to));
  return (
    <Button
      title="Loses the response to a payment in a rehearsal company, resends it, and shows the sequence of the calls"
      onClick={() => void simulate()}
    >
      Simulate a failure
    </Button>
  );
}

/**
 * The end of the guided path: the amount of the last batch with its status, and what to do next: after a failure, to see what
 * has failed.
 */
export function PathCompleted(props: {
  facts: Facts;
  batches: readonly BatchRecord[];
  loadSimulation: LoadSimulation;
}) {
  const { facts, batches, loadSimulation } = props;
  const last = batches.at(-1);
  const isPaid = isPathComplete(facts);
  return (
    <Flex align="end" justify="space-between" gap="4" wrap="wrap">
      <Box minWidth="0">
        <Eyebrow>
          {isPaid ? 'The guided path is complete' : unpaidTitle(facts)}
          {last && (
            <>
              {' · '}
              <RouterLink
                to={`${journeyOf('batch').path}?${new URLSearchParams({ batchId: last.batchId }).toString()}`}
              >
                sent <Time at={last.postedAt} />
              </RouterLink>
            </>
          )}
        </Eyebrow>
        <TitleLine {...(last ? standingOf(facts.batchStatus, last.totals) : { status: '' })}>
          <PageHeading title="Home">{last ? groupedAmounts(last.amount) : 'Payments'}</PageHeading>
        </TitleLine>
      </Box>
      <Flex gap="2" wrap="wrap">
        <Button asChild variant="ghost">
          <a href={exportPath} download>
            Export this run
          </a>
        </Button>
        {facts.environment === 'sandbox' && <SimulateFailure load={loadSimulation} />}
        <Button asChild variant="solid">
          {isPaid ? (
            <RouterLink to={addressOf('electronicPayment', { guided: true, another: true })}>Pay again</RouterLink>
          ) : (
            <RouterLink to={addressOf('batch', { guided: true })}>View failed payments</RouterLink>
          )}
        </Button>
      </Flex>
    </Flex>
  );
}
