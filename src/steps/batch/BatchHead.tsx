import { Box, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { BatchRecord } from '#contract/batch.ts';
import { statusOf } from '#contract/status.ts';
import type { BatchView } from '#machines/batch/batch.machine.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { textAt } from '#rules/path.ts';
import { Card, Stack } from '#ui/surfaces.tsx';
import { Evidence } from '../kit/Evidence.tsx';
import { Id } from '#ui/CopyButton.tsx';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { StepTitle } from '#ui/StepTitle.tsx';
import { Time } from '#ui/Time.tsx';
import { hasFailed, placedPayments, totalOf } from './payments.ts';

/** The number of failed payments in words, and their total; '' if none failed, or if the whole batch did. */
function failuresOf(view: BatchView | null): { count: string; amount: string } {
  const { placed } = view ? placedPayments(view) : { placed: [] };
  const failed = placed.filter(hasFailed);
  const isWhole = failed.length === placed.length && statusOf(view?.batch.status ?? '') === 'Failed';
  if (failed.length === 0 || isWhole) return { count: '', amount: '' };
  const amount = groupedAmounts(totalOf(failed.map(({ payment }) => payment)));
  return { count: `${failed.length} of ${placed.length} failed`, amount };
}

/** The debtor account: its name and the last four characters of its number; '' if unknown. */
function payerOf(view: BatchView | null): string {
  const [name, number] = view ? ['name', 'identification'].map((of) => textAt(view.batch, `debtorAccount.${of}`)) : [];
  return [name, number && `·· ${number.slice(-4)}`].filter(Boolean).join(' ');
}

/**
 * The summary of a batch: total, status, debtor account, time of the last reading, and the states it passed through.
 */
export function BatchHead(props: {
  view: BatchView | null;
  record: BatchRecord | null;
  following: boolean;
  children: ReactNode;
}) {
  const { view, record, following, children } = props;
  const batch = view?.batch ?? record;
  if (!batch) return null;
  const total = record?.amount ?? totalOf(view?.batch.payments ?? []);
  const failures = failuresOf(view);
  const payer = payerOf(view);
  return (
    <Stack gap="4">
      {total && <StepTitle>{groupedAmounts(total)}</StepTitle>}
      <div>
        <Flex align="center" columnGap="3" rowGap="1" wrap="wrap">
          <Flex align="center" gap="2" wrap="wrap">
            <span role="status" aria-label="Status">
              <Badge tone={toneOf(batch.status)}>{batch.status}</Badge>
              {!view && ', as last seen'}
            </span>
            {failures.count && (
              <Badge tone="failed">{[failures.count, failures.amount].filter(Boolean).join(', ')}</Badge>
            )}
          </Flex>
        </Flex>
        <Box color="fg.muted" pt="1" overflowWrap="anywhere">
          <Id value={batch.batchId} what="the batch id" />
          {payer && <>· from {payer}</>}
        </Box>
        <Text color="fg.muted" fontSize="sm">
          {record && (
            <>
              Posted <Time at={record.postedAt} />
              {' · '}
            </>
          )}
          {view ? (
            <>
              Updated <Time key={view.readAt} at={view.readAt} />
            </>
          ) : (
            <span>Not updated since this page was opened</span>
          )}
          {following && ' · Checks every second'}
        </Text>
      </div>
      {children}
      <Card size="md" _empty={{ display: 'none' }}>
        <Evidence of="batch" id={batch.batchId} since={record?.postedAt} ending={failures.count} />
      </Card>
    </Stack>
  );
}
