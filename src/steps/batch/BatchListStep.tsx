import { Box, Button, Link } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useMemo } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { BatchRecord } from '#contract/batch.ts';
import { batch } from '#machines/batch/journeys.ts';
import { electronicPayment } from '#machines/payment/journeys.ts';
import { outcomeWords, partsOf, standingOf, totalsIn } from '#rules/batch.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { endedBefore } from '#machines/names.ts';
import { newsOf, type batchListMachine } from '#machines/batch/batchList.machine.ts';
import { Bar } from '#ui/Bar.tsx';
import { Amount } from '#ui/Details.tsx';
import { CopyButton, CopyMark, Lead, Quiet, ShortId } from '#ui/CopyButton.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { leadingNumber, type Column } from '#ui/rows.ts';
import { withShortIds } from '#rules/shortId.ts';
import { StatusBadge } from '#ui/Badge.tsx';
import { Money } from '#ui/plots/Money.tsx';
import { Time, timeText } from '#ui/Time.tsx';
import { ActButton } from '../kit/ActButton.tsx';
import { useContextValues } from '../kit/useContextValues.ts';
import type { StepProps } from '../step.ts';
import { Stack } from '#ui/surfaces.tsx';

/** ISO time of the last reading of the record's status; if there was none, the time of posting. */
const lookedAt = ({ readAt, postedAt }: BatchRecord): string => readAt ?? postedAt;

/** What has become of a batch's amounts, for each currency; the numbers are only for widths. */
const outcomesIn = (record: BatchRecord) =>
  totalsIn(record.amount).map(({ currency }) => {
    const parts = partsOf(record, currency);
    return {
      currency,
      parts: parts.map(({ outcome, text }) => ({ outcome, amount: Number(text) })),
      said: parts
        .map(({ outcome, text }) => `${groupedAmounts(`${text} ${currency}`)} ${outcomeWords[outcome]}`)
        .join(', '),
    };
  });

const columns: readonly Column<BatchRecord>[] = [
  {
    id: 'batchId',
    title: 'BatchId',
    text: ({ batchId, postedAt }) => `${timeText(postedAt)} ${batchId}`,
    order: ({ postedAt }) => Date.parse(postedAt),
    cell: ({ batchId, postedAt }) => (
      <div>
        <Lead>
          <Time at={postedAt} />
        </Lead>
        <Quiet className="group" display="flex" gap="0.5" alignItems="center">
          <Link asChild>
            <RouterLink to={`${batch.path}?${new URLSearchParams({ batchId }).toString()}`}>
              <ShortId value={batchId} labelled />
            </RouterLink>
          </Link>
          <CopyButton text={batchId} what={`batch id ${batchId}`} label={<CopyMark />} />
        </Quiet>
      </div>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    text: (row) =>
      [standingOf(row.status, row.totals).status, row.ended && endedBefore(row.ended), timeText(lookedAt(row))]
        .filter(Boolean)
        .join(', '),
    cell: (row) => (
      <>
        <StatusBadge {...standingOf(row.status, row.totals)} />
        <Quiet>{row.ended ? endedBefore(row.ended) : <Time at={lookedAt(row)} />}</Quiet>
      </>
    ),
  },
  {
    id: 'amount',
    title: 'Amount',
    figures: true,
    text: ({ amount }) => groupedAmounts(amount),
    order: ({ amount }) => leadingNumber(amount),
    cell: ({ amount }) => (
      <Lead>
        <Amount>{groupedAmounts(amount)}</Amount>
      </Lead>
    ),
  },
  {
    id: 'payments',
    title: 'Payments',
    text: (record) =>
      outcomesIn(record)
        .map(({ said }) => said)
        .join('; '),
    cell: (record) =>
      outcomesIn(record).map(({ currency, parts, said }) => (
        <Box key={currency} width="8rem" py="0.5">
          <Money parts={parts} label={said} height="3" />
        </Box>
      )),
  },
];

const statusOf = ({ status }: BatchRecord): string => status;

/** The posted batches, newest first (behaviour, section 2: /paymentlist). */
export function BatchListStep({ actor }: StepProps<typeof batchListMachine>) {
  const { batches, chosen } = useContextValues(actor, 'batches', 'chosen');
  const newest = useMemo(() => batches.toSorted((a, b) => Date.parse(b.postedAt) - Date.parse(a.postedAt)), [batches]);
  const polling = useSelector(actor, (snapshot) => snapshot.matches('polling'));
  const news = useSelector(actor, (snapshot) => (snapshot.matches('listing') ? newsOf(snapshot.context) : ''));
  return (
    <Stack gap="5">
      <DataTable
        caption={['batch', 'batches']}
        columns={columns}
        rows={newest}
        statusOf={statusOf}
        rowKey={({ batchId }) => batchId}
        inspects={({ batchId }) => `batch ${batchId}`}
        address=""
        actions={({ batchId }) => (
          <ActButton
            size="sm"
            actor={actor}
            act={{ type: 'batch.poll', id: batchId }}
            aria-label={`Poll For Update of batch ${batchId}`}
          >
            {polling && chosen === batchId ? 'Polling …' : 'Poll For Update'}
          </ActButton>
        )}
        empty={{
          children: 'Batches, with their amount and status. None was paid yet.',
          action: (
            <Button asChild>
              <RouterLink to={electronicPayment.path}>Pay invoices</RouterLink>
            </Button>
          ),
        }}
      />
      <Bar
        leave={[{ label: 'Close', onPress: () => actor.send({ type: 'form.cancel' }) }]}
        reason={
          <span role="status" title={news || undefined}>
            {withShortIds(news)}
          </span>
        }
      />
    </Stack>
  );
}
