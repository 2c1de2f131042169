import { Box, Button, Flex, Link } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { Link as RouterLink } from 'react-router-dom';
import type { BatchRecord } from '#contract/entities.ts';
import { batch } from '#machines/batch.journey.ts';
import type { batchListMachine } from '#machines/batchList.machine.ts';
import { CopyButton } from '../kit/CopyButton.tsx';
import { DataTable, type Column } from '../kit/DataTable.tsx';
import { StatusWord, toneOf } from '../kit/StatusWord.tsx';
import { Time } from '../kit/Time.tsx';
import type { StepProps } from '../steps.ts';

const columns: readonly Column<BatchRecord>[] = [
  {
    id: 'batchId',
    title: 'BatchId',
    cell: ({ batchId }) => (
      <Flex gap="1" align="center">
        <Link asChild>
          <RouterLink to={`${batch.path}?${new URLSearchParams({ batchId }).toString()}`}>
            <code>{batchId}</code>
          </RouterLink>
        </Link>
        <CopyButton text={batchId} what={`batch id ${batchId}`} />
      </Flex>
    ),
    sort: ({ batchId }) => batchId,
  },
  {
    id: 'status',
    title: 'Status',
    cell: ({ status }) => <StatusWord tone={toneOf(status)}>{status}</StatusWord>,
    sort: ({ status }) => status,
  },
  { id: 'amount', title: 'Amount', cell: ({ amount }) => amount },
  { id: 'postedAt', title: 'Posted', cell: ({ postedAt }) => <Time at={postedAt} />, sort: ({ postedAt }) => postedAt },
];

/** The posted batches (spec, section 2: /paymentlist). */
export default function BatchListStep({ actor }: StepProps<typeof batchListMachine>) {
  const { batches, chosen } = useSelector(actor, ({ context }) => context);
  const polling = useSelector(actor, (snapshot) => snapshot.matches('polling'));
  return (
    <Box display="grid" gap="5" gridTemplateColumns="minmax(0, 1fr)" justifyItems="start">
      <DataTable
        caption={batches.length === 1 ? 'batch' : 'batches'}
        columns={columns}
        rows={batches}
        rowKey={({ batchId }) => batchId}
        actions={({ batchId }) => (
          <Button
            size="sm"
            aria-label={`Poll For Update of batch ${batchId}`}
            aria-disabled={polling}
            onClick={() => actor.send({ type: 'batch.poll', id: batchId })}
          >
            {polling && chosen === batchId ? 'Polling …' : 'Poll For Update'}
          </Button>
        )}
        empty={null}
      />
      <Button onClick={() => actor.send({ type: 'form.cancel' })}>Cancel</Button>
    </Box>
  );
}
