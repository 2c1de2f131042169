import type { Batch, BatchError } from '#contract/entities.ts';
import { textAt } from '#rules/path.ts';
import { DataTable, type Column } from '../kit/DataTable.tsx';
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
    cell: ({ row }) => (name === 'message' ? row.message : <code>{row[name]}</code>),
    sort: ({ row }) => row[name] ?? '',
  }),
);

/** What the service found wrong with the batch (spec, section 8); nothing if it found nothing. */
export function BatchErrors({ errors }: { errors: readonly BatchError[] }) {
  return (
    <DataTable
      caption={errors.length === 1 ? 'error' : 'errors'}
      columns={errorColumns}
      rows={placed(errors)}
      rowKey={({ position }) => String(position)}
      empty={null}
    />
  );
}

type SeenPayment = NonNullable<Batch['payments']>[number];

const amountOf = (payment: SeenPayment): string =>
  `${textAt(payment, 'instructedAmount.amount')} ${textAt(payment, 'instructedAmount.currency')}`;

const paymentColumns: readonly Column<Placed<SeenPayment>>[] = [
  { id: 'index', title: 'Index', cell: ({ position }) => position, sort: ({ position }) => position },
  ...[
    { id: 'creditor.name', title: 'Creditor' },
    { id: 'remittanceInformation.reference', title: 'Reference' },
  ].map(({ id, title }): Column<Placed<SeenPayment>> => ({
    id,
    title,
    cell: ({ row }) => textAt(row, id),
    sort: ({ row }) => textAt(row, id),
  })),
  { id: 'amount', title: 'Amount', cell: ({ row }) => amountOf(row) },
  {
    id: 'status',
    title: 'Status',
    cell: ({ row }) => (
      <StatusWord tone={toneOf(textAt(row, 'status'))}>{textAt(row, 'status') || 'unknown'}</StatusWord>
    ),
    sort: ({ row }) => textAt(row, 'status'),
  },
];

/** The payments of a batch, each with its own status. */
export function BatchPayments({ payments }: { payments: readonly SeenPayment[] }) {
  return (
    <DataTable
      caption={payments.length === 1 ? 'payment' : 'payments'}
      columns={paymentColumns}
      rows={placed(payments)}
      rowKey={({ position }) => String(position)}
      empty={null}
    />
  );
}
