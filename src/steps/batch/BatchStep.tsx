import { Box, Flex, Link, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { BatchRecord } from '#contract/batch.ts';
import { electronicPayment, filePayment } from '#machines/payment/journeys.ts';
import { batchList } from '#machines/batch/journeys.ts';
import { authoriseOf, type batchMachine, type BatchView } from '#machines/batch/batch.machine.ts';
import { Authorising } from '../kit/AuthorisePage.tsx';
import { Bar } from '../kit/Bar.tsx';
import { Id } from '../kit/CopyButton.tsx';
import { Details, EmptyState } from '../kit/Details.tsx';
import { JsonView } from '../kit/JsonView.tsx';
import { StatusWord, toneOf } from '../kit/StatusWord.tsx';
import { Time } from '../kit/Time.tsx';
import type { StepProps } from '../steps.ts';
import { BankFile } from './BankFile.tsx';
import { BatchErrors, BatchPayments } from './BatchTables.tsx';

function NoBatch({ onClose }: { onClose: () => void }) {
  return (
    <EmptyState
      action={
        <Flex gap="4" align="center">
          {[electronicPayment, filePayment].map(({ path, title }) => (
            <Link key={path} asChild>
              <RouterLink to={path}>{title}</RouterLink>
            </Link>
          ))}
          <Bar leave={[{ label: 'Close', onPress: onClose }]} />
        </Flex>
      }
    >
      The status of a batch would be shown here; none was posted yet.
    </EmptyState>
  );
}

/** The batch as it was read or, until it could be, as it is kept here. */
function Overview(props: { view: BatchView | null; record: BatchRecord | null; following: boolean }) {
  const { view, record, following } = props;
  const batch = view?.batch ?? record;
  if (!batch) return null;
  return (
    <Details
      items={{
        Batch: <Id value={batch.batchId} what="the batch id" />,
        Status: (
          <span role="status" aria-label="Status">
            <StatusWord tone={toneOf(batch.status)}>{batch.status}</StatusWord>
            {!view && ', as last seen'}
          </span>
        ),
        ...(!view && record && { Posted: <Time at={record.postedAt} />, Total: record.amount }),
        'Last looked': (
          <>
            {view ? <Time key={view.readAt} at={view.readAt} /> : 'Not since this page was opened'}
            {following && ', and again every second'}
          </>
        ),
      }}
    />
  );
}

/** The provider's page on which the batch is authorised. Whose page it is the service does not say: it is not embedded. */
function BatchAuthorising({ view }: { view: BatchView }) {
  const [open, setOpen] = useState(false);
  const { batchId, status } = view.batch;
  return (
    <Authorising {...authoriseOf(view)} open={open} onOpen={() => setOpen(true)} onClose={() => setOpen(false)}>
      Batch <code>{batchId}</code> is {status}.
    </Authorising>
  );
}

/** One batch followed to its end (behaviour, section 2: /getbatch). */
export default function BatchStep({ actor }: StepProps<typeof batchMachine>) {
  const view = useSelector(actor, ({ context }) => context.view);
  const record = useSelector(actor, ({ context }) => context.record);
  const following = useSelector(actor, (snapshot) => snapshot.matches('following'));
  const canRead = useSelector(actor, (snapshot) => snapshot.can({ type: 'batch.read' }));
  const overdue = useSelector(actor, ({ context }) => context.overdue);
  const leave = () => actor.send({ type: 'form.cancel' });
  if (!view && !record) return <NoBatch onClose={leave} />;
  return (
    <Box display="grid" gap="5" gridTemplateColumns="minmax(0, 1fr)">
      <Overview view={view} record={record} following={following} />
      {following && overdue && (
        <Text role="status">
          It is still under way and still looked for; it goes on if you leave, and is listed under {batchList.title}.
        </Text>
      )}
      <Bar
        leave={[{ label: 'Close', onPress: leave }]}
        secondary={[{ label: 'Look again', rests: !canRead, onPress: () => actor.send({ type: 'batch.read' }) }]}
      />
      {view && (
        <>
          <BatchAuthorising view={view} />
          <BatchErrors errors={view.errors} />
          <BatchPayments payments={view.batch.payments ?? []} />
          <BankFile actor={actor} />
          <JsonView value={view.raw} what="batch" />
        </>
      )}
    </Box>
  );
}
