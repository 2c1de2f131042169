import { useMemo } from 'react';
import type { Batch, BatchError } from '#contract/batch.ts';
import { groupedAmounts } from '#rules/batch.ts';
import { textAt } from '#rules/path.ts';
import { Amount } from '../kit/Details.tsx';
import { DataTable } from '../kit/DataTable.tsx';
import { leadingNumber, type Column } from '../kit/rows.ts';
import { StatusWord, toneOf } from '../kit/StatusWord.tsx';

/** A row with its place in the answer: neither errors nor payments need have an id of their own. */
interface Placed<Row> {
  row: Row;
  position: number;
}

const placed = <Row,>(rows: readonly Row[]): Placed<Row>[] => rows.map((row, position) => ({ row, position }));

const errorColumns = (['target', 'message', 'code', 'index', 'resourceId', 'sourceId'] as const).map(
  (name): Column<Placed<BatchError>> => ({
    id: name,
    title: name,
    text: ({ row }) => String(row[name] ?? ''),
    cell: ({ row }) => (name === 'message' ? row.message : <code>{row[name]}</code>),
  }),
);

/** What the service found wrong with the batch (behaviour, section 8); nothing if it found nothing. */
export function BatchErrors({ errors }: { errors: readonly BatchError[] }) {
  return (
    <DataTable
      caption={errors.length === 1 ? 'error' : 'errors'}
      columns={errorColumns}
      rows={useMemo(() => placed(errors), [errors])}
      rowKey={({ position }) => String(position)}
      address="errors-"
      empty={null}
    />
  );
}

type SeenPayment = NonNullable<Batch['payments']>[number];

const amountOf = (payment: SeenPayment): string =>
  `${textAt(payment, 'instructedAmount.amount')} ${textAt(payment, 'instructedAmount.currency')}`;

const statusOf = ({ row }: Placed<SeenPayment>): string => textAt(row, 'status') || 'unknown';

const paymentColumns: readonly Column<Placed<SeenPayment>>[] = [
  { id: 'index', title: 'Index', text: ({ position }) => String(position) },
  ...[
    { id: 'creditor.name', title: 'Creditor' },
    { id: 'remittanceInformation.reference', title: 'Reference' },
  ].map(({ id, title }): Column<Placed<SeenPayment>> => ({
    id,
    title,
    text: ({ row }) => textAt(row, id),
  })),
  {
    id: 'amount',
    title: 'Amount',
    figures: true,
    text: ({ row }) => groupedAmounts(amountOf(row)),
    order: ({ row }) => leadingNumber(amountOf(row)),
    cell: ({ row }) => <Amount>{groupedAmounts(amountOf(row))}</Amount>,
  },
  {
    id: 'status',
    title: 'Status',
    text: statusOf,
    cell: (placing) => <StatusWord tone={toneOf(statusOf(placing))}>{statusOf(placing)}</StatusWord>,
  },
];

/** The payments of a batch, each with its own status. */
export function BatchPayments({ payments }: { payments: readonly SeenPayment[] }) {
  return (
    <DataTable
      caption={payments.length === 1 ? 'payment' : 'payments'}
      columns={paymentColumns}
      rows={useMemo(() => placed(payments), [payments])}
      rowKey={({ position }) => String(position)}
      address="payments-"
      statusOf={statusOf}
      empty={null}
    />
  );
}
