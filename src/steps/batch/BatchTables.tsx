import { Box, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { useMemo } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { BatchError } from '#contract/batch.ts';
import { invoiceCounts } from '#contract/constants.ts';
import { member } from '#contract/member.ts';
import type { BatchView } from '#machines/batch/batch.machine.ts';
import { electronicPayment, filePayment } from '#machines/payment/journeys.ts';
import { groupedAmounts } from '#rules/batch.ts';
import { causeOf, choiceAt, invoiceChoice, isTyped, paymentChoices, type Cause } from '#rules/causes.ts';
import { textAt } from '#rules/path.ts';
import { ShortId } from '#ui/CopyButton.tsx';
import { Amount } from '#ui/Details.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { leadingNumber, type Column } from '#ui/rows.ts';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { amountOf, placedPayments, type PlacedPayment, type SeenPayment } from './payments.ts';
import { Stack } from '#ui/surfaces.tsx';

/** An error with its index in the response, which serves as its key: errors may have no id. */
interface PlacedError {
  row: BatchError;
  position: number;
  cause: Cause;
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

/** Labels of the form's choices, which are not fields of rules. */
const fieldWords: Readonly<Record<string, string>> = {
  [paymentChoices.bankAccount]: 'Bank account',
  [paymentChoices.date]: 'Execution date',
};

/** Links to the invoice's row and to the field that caused an error; says so if the service names neither. */
function Leads({ cause: { invoice, path, position }, address }: { cause: Cause; address: Address }) {
  const typed = isTyped(path) ? choiceAt(path) || path : '';
  if (invoice === '' && typed === '')
    return (
      <Text as="span" color="fg.muted" fontSize="xs">
        {position === undefined ? 'Names no payment or field' : `Payment ${position}, invoice unknown`}
      </Text>
    );
  return (
    <Flex direction="column" align="start">
      {invoice && (
        <Link asChild>
          <RouterLink to={address(invoiceChoice(invoice))}>Invoice {invoice}</RouterLink>
        </Link>
      )}
      {typed && (
        <Link asChild>
          <RouterLink to={address(typed)}>
            {member(fieldWords, typed) ?? typed.replace(/^.*additionalData\./, '')}
          </RouterLink>
        </Link>
      )}
    </Flex>
  );
}

/** Returns the address of the payment form, with the focus on a control. */
type Address = (control: string) => string;

/** The payment form for correcting a batch; it lists as many invoices as the batch has payments. */
function addressIn({ batch: { batchId, payments = [], ...batch }, references }: BatchView): Address {
  const { path } = 'fileFormatId' in batch ? filePayment : electronicPayment;
  const paid = Math.max(payments.length, references.length);
  const invoices = invoiceCounts.find((count) => count >= paid) ?? invoiceCounts[0];
  return (at) => `${path}?${new URLSearchParams({ corrects: batchId, at, invoices: String(invoices) }).toString()}`;
}

/**
 * The service's errors for the batch, each with links to its causes (behaviour, section 8); renders nothing if there
 * are none.
 */
export function BatchErrors({ view }: { view: BatchView }) {
  const { errors, batch, references } = view;
  const rows = useMemo(
    () => errors.map((row, position) => ({ row, position, cause: causeOf(row, batch.payments, references) })),
    [errors, batch.payments, references],
  );
  const columns = useMemo((): Column<PlacedError>[] => {
    const address = addressIn(view);
    return [
      {
        id: 'leads',
        title: 'leads to',
        text: ({ cause }) => `${cause.invoice} ${cause.path}`,
        cell: ({ cause }) => <Leads cause={cause} address={address} />,
      },
      ...errorColumns,
    ];
  }, [view]);
  return (
    <DataTable
      caption={['error', 'errors']}
      columns={columns}
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
        <Badge tone={toneOf(status)}>{status}</Badge>
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
    <Stack as="section" aria-labelledby="payments" gap="2">
      <Heading as="h2" id="payments">
        Payments
      </Heading>
      <DataTable
        caption={['payment', 'payments']}
        columns={paymentColumns}
        rows={placed}
        rowKey={({ position }) => String(position)}
        address="payments-"
        statusOf={({ status }) => status}
        wraps
        empty={null}
      />
    </Stack>
  );
}
