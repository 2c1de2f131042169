import type { ReactNode } from 'react';
import type { BatchRecord } from '#contract/batch.ts';
import { statusOf } from '#contract/status.ts';
import type { BatchView } from '#machines/batch/batch.ts';
import { endedBefore } from '#machines/names.ts';
import { accountText } from '#rules/accountText.ts';
import { outcomeTotals, standingOf, totalOf } from '#rules/batch.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { textAt } from '#rules/path.ts';
import { ResultCard } from '#ui/ResultCard.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { Evidence } from '../kit/Evidence.tsx';
import { Id } from '#ui/CopyButton.tsx';
import { StepTitle } from '#ui/StepTitle.tsx';
import { Time } from '#ui/Time.tsx';
import { hasFailed, placedPayments } from './payments.ts';

/** The number of failed payments in words; '' if none failed, or if the whole batch did. */
function failuresOf(view: BatchView | null): string {
  const { placed } = view ? placedPayments(view) : { placed: [] };
  const failed = placed.filter(hasFailed);
  const isWhole = failed.length === placed.length && statusOf(view?.batch.status ?? '') === 'Failed';
  return failed.length === 0 || isWhole ? '' : `${failed.length} of ${placed.length} failed`;
}

/** The debtor account: its name and the last four characters of its number; '' if unknown. */
function payerOf(view: BatchView | null): string {
  const [name, number] = view ? ['name', 'identification'].map((of) => textAt(view.batch, `debtorAccount.${of}`)) : [];
  return accountText(name ?? '', number ?? '');
}

/** When the batch was last read, and whether that is repeated. */
function Reading({ view, following }: { view: BatchView | null; following: boolean }) {
  return (
    <>
      {view ? <Time key={view.readAt} at={view.readAt} /> : 'Not since this page was opened'}
      {following && ' · Checks every second'}
    </>
  );
}

/** The summary of a batch: total and status as the page's title; debtor account, last reading and history in a card. */
export function BatchHead(props: {
  view: BatchView | null;
  record: BatchRecord | null;
  following: boolean;
  children: ReactNode;
}) {
  const { view, record, following, children } = props;
  const batch = view?.batch ?? record;
  if (!batch) return null;
  const totals = view ? outcomeTotals(view.batch.payments, batch.status) : record?.totals;
  const total = record?.amount ?? totalOf(view?.batch.payments ?? []);
  return (
    <Stack gap="4">
      <StepTitle text={total ? groupedAmounts(total) : 'Batch'} {...standingOf(batch.status, totals)} />
      {children}
      <ResultCard
        history={<Evidence of="batch" id={batch.batchId} since={record?.postedAt} ending={failuresOf(view)} />}
        values={{
          From: payerOf(view),
          ...(view?.ended && { Before: endedBefore(view.ended) }),
          ...(view?.waits.length && { Waits: view.waits.join(' ') }),
          Updated: <Reading view={view} following={following} />,
          Batch: <Id value={batch.batchId} what="the batch id" whole />,
        }}
      />
    </Stack>
  );
}
