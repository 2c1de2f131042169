import { Box, Heading } from '@chakra-ui/react';
import { useMemo } from 'react';
import type { BatchError } from '#contract/batch.ts';
import { groupedAmounts } from '#rules/batch.ts';
import { textAt } from '#rules/path.ts';
import { ShortId } from '../kit/CopyButton.tsx';
import { Amount } from '../kit/Details.tsx';
import { DataTable } from '../kit/DataTable.tsx';
import { leadingNumber, type Column } from '../kit/rows.ts';
import { StatusWord, toneOf } from '../kit/StatusWord.tsx';
import { amountOf, placedPayments, type PlacedPayment, type SeenPayment } from './payments.ts';

/** An error with its index in the response, which serves as its key: errors may have no id. */
interface PlacedError {
  row: BatchError;
  position: number;
}

const errorColumns = (['target', 'message', 'code', 'index', 'resourceId', 'sourceId'] as const).map(
  (name): Column<PlacedError> => ({
    id: name,
    title: name,
    text: ({ row }) => String(row[name] ?? ''),
    cell: ({ row }) => {
      if (name === 'message') return row.message;
      return name.endsWith('Id') ? <ShortId value={String(row[name] ?? '')} /> : <code>{row[name]}</code>;
    },
  }),
);

/** The service's errors for the batch (behaviour, section 8); nothing if there are none. */
export function BatchErrors({ errors }: { errors: readonly BatchError[] }) {
  const rows = useMemo(() => errors.map((row, position) => ({ row, position })), [errors]);
  return (
    <DataTable
      caption={errors.length === 1 ? 'error' : 'errors'}
      columns={errorColumns}
      rows={rows}
      rowKey={({ position }) => String(position)}
      address="errors-"
      empty={null}
    />
  );
}

const paymentColumns: readonly Column<PlacedPayment>[] = [
  // The index by which errors refer to the payment.
  { id: 'index', title: '#', text: ({ position }) => String(position) },
  ...[
    { id: 'creditor.name', title: 'Creditor' },
    { id: 'remittanceInformation.reference', title: 'Reference' },
  ].map(({ id, title }): Column<PlacedPayment> => ({
    id,
    title,
    text: ({ payment }) => textAt(payment, id),
    // References of up to 18 characters do not wrap.
    ...(id.endsWith('reference') && {
      cell: ({ payment }: PlacedPayment) => (
        <Box as="span" whiteSpace={textAt(payment, id).length > 18 ? 'normal' : 'nowrap'}>
          {textAt(payment, id)}
        </Box>
      ),
    }),
  })),
  {
    id: 'amount',
    title: 'Amount',
    figures: true,
    text: ({ payment }) => groupedAmounts(amountOf(payment)),
    order: ({ payment }) => leadingNumber(amountOf(payment)),
    cell: ({ payment }) => <Amount>{groupedAmounts(amountOf(payment))}</Amount>,
  },
  {
    id: 'status',
    title: 'Status',
    text: ({ status, reason }) => [status, reason].filter(Boolean).join(': '),
    cell: ({ status, reason }) => (
      <>
        <StatusWord tone={toneOf(status)}>{status}</StatusWord>
        {reason && (
          <Box color="failed" fontSize="xs" lineHeight="xs" overflowWrap="anywhere">
            {reason}
          </Box>
        )}
      </>
    ),
  },
];

/** The payments of a batch, failed ones first, each with its status and its errors. */
export function BatchPayments(props: { payments: readonly SeenPayment[]; errors: readonly BatchError[] }) {
  const { payments, errors } = props;
  const placed = useMemo(() => placedPayments(payments, errors), [payments, errors]);
  if (payments.length === 0) return null;
  return (
    <Box as="section" aria-labelledby="payments" display="grid" gap="2" gridTemplateColumns="minmax(0, 1fr)">
      <Heading as="h2" id="payments">
        Payments
      </Heading>
      <DataTable
        caption={payments.length === 1 ? 'payment' : 'payments'}
        columns={paymentColumns}
        rows={placed}
        rowKey={({ position }) => String(position)}
        address="payments-"
        statusOf={({ status }) => status}
        wraps
        empty={null}
      />
    </Box>
  );
}
