import { Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { exportPath } from '#contract/exports.ts';
import { electronicPayment, filePayment } from '#machines/payment/journeys.ts';
import { batchList } from '#machines/batch/journeys.ts';
import type { batchMachine } from '#machines/batch/batch.machine.ts';
import { authoriseOf, hasEnded, type BatchView } from '#machines/batch/batch.ts';
import { descriptionOf, hasTag, isOverdue } from '#machines/lib/state.ts';
import { counted } from '#rules/counted.ts';
import { Authorising } from '../kit/AuthorisePage.tsx';
import { Bar } from '#ui/Bar.tsx';
import { ShortId } from '#ui/CopyButton.tsx';
import type { StepProps } from '../step.ts';
import { BankFile } from './BankFile.tsx';
import { BatchHead } from './BatchHead.tsx';
import { BatchErrors, BatchPayments, RawBatch } from './BatchTables.tsx';
import { correctionAddress, hasFailed, isByFile, placedPayments } from './payments.ts';
import { Stack } from '#ui/surfaces.tsx';

/** Offers the page that authorises the batch; never in a frame, because the service does not name the provider. */
function BatchAuthorising({ actor, view }: StepProps<typeof batchMachine> & { view: BatchView }) {
  const open = useSelector(actor, (snapshot) => snapshot.matches('approving'));
  const { batchId, status } = view.batch;
  return (
    <Authorising
      {...authoriseOf(view)}
      open={open}
      onOpen={() => actor.send({ type: 'authorise.open' })}
      onClose={() => actor.send({ type: 'authorise.close' })}
      status={status}
    >
      Batch <ShortId value={batchId} />
    </Authorising>
  );
}

const exported = { label: 'Export this run', download: exportPath } as const;

/** One batch, followed until its end status (behaviour, section 2: /getbatch). */
export function BatchStep({ actor }: StepProps<typeof batchMachine>) {
  const view = useSelector(actor, ({ context }) => context.view);
  const record = useSelector(actor, ({ context }) => context.record);
  const following = useSelector(
    actor,
    (snapshot) => snapshot.matches('following') || (snapshot.matches('approving') && !hasTag(snapshot, 'failed')),
  );
  const canRead = useSelector(actor, (snapshot) => snapshot.can({ type: 'batch.read' }));
  const overdue = useSelector(actor, ({ context }) => context.overdue || isOverdue(context));
  const ended = useSelector(actor, ({ context }) => hasEnded(context.view));
  const doing = useSelector(actor, descriptionOf);
  const failed = ended && view ? placedPayments(view).placed.filter(hasFailed).length : 0;
  const again = view && failed > 0 ? correctionAddress(view) : '';
  const leave = () => actor.send({ type: 'form.cancel' });
  return (
    <Stack gap="5">
      <BatchHead view={view} record={record} following={following}>
        {view && (isByFile(view) || view.paymentFile !== '') && <BankFile actor={actor} />}
      </BatchHead>
      {following && overdue && (
        <Text role="status">You may leave this page; the batch is listed under {batchList.title}.</Text>
      )}
      <Bar
        leave={[{ label: 'Close', onPress: leave }]}
        secondary={[
          { label: 'Refresh', rests: canRead ? '' : doing, onPress: () => actor.send({ type: 'batch.read' }) },
          ...(ended && !again
            ? [{ label: 'Pay another', to: (record?.kind === 'file' ? filePayment : electronicPayment).path }]
            : []),
          ...(again ? [exported] : []),
        ]}
        primary={again ? { label: `Retry ${counted(failed, 'failed payment')}`, to: again } : ended ? exported : null}
      />
      {view && (
        <>
          <BatchAuthorising actor={actor} view={view} />
          <BatchPayments view={view} />
          <BatchErrors view={view} />
          <RawBatch raw={view.raw} />
        </>
      )}
    </Stack>
  );
}
