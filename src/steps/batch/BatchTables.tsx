import { Box, Flex, Heading, Link, Text } from '@chakra-ui/react';
import { useCallback, useMemo } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { BatchError, StaysPaid } from '#contract/batch.ts';
import { member } from '#contract/member.ts';
import type { BatchView } from '#machines/batch/batch.ts';
import { creditor } from '#machines/party/journeys.ts';
import { afterPaid, isReturned } from '#rules/afterPaid.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import { choiceAt, invoiceChoice, isTyped, paymentChoices } from '#rules/causes.ts';
import { textAt } from '#rules/path.ts';
import { Code } from '#ui/Code.tsx';
import { ShortId } from '#ui/CopyButton.tsx';
import { Amount } from '#ui/Details.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { JsonView } from '#ui/JsonView.tsx';
import { leadingNumber, type Column } from '#ui/rows.ts';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { Callout, Stack } from '#ui/surfaces.tsx';
import { broadListWidth } from '#ui/cards.ts';
import { PaymentsBar } from './PaymentsBar.tsx';
import {
  amountOf,
  correctionAddress,
  placedPayments,
  errorText,
  type PlacedError,
  type PlacedPayment,
} from './payments.ts';

/** Labels of the form's choices, which are not fields of rules. */
const fieldWords: Readonly<Record<string, string>> = {
  [paymentChoices.bankAccount]: 'Bank account',
  [paymentChoices.date]: 'Execution date',
};

/** Links to the invoice's row and to the field that caused an error; says so if the service names neither. */
function Leads({ placed: { cause }, view }: { placed: PlacedError; view: BatchView }) {
  const { invoice, path, position } = cause;
  const typed = isTyped(path) ? choiceAt(path) || path : '';
  if (invoice === '' && typed === '')
    return (
      <Text as="span" color="fg.muted">
        {position === undefined ? 'Names no payment or field' : `Payment ${position}, invoice unknown`}
      </Text>
    );
  return (
    <>
      {invoice && (
        <Link asChild>
          <RouterLink to={correctionAddress(view, invoiceChoice(invoice))}>Invoice {invoice}</RouterLink>
        </Link>
      )}
      {typed && (
        <Link asChild>
          <RouterLink to={correctionAddress(view, typed)}>
            {member(fieldWords, typed) ?? typed.replace(/^.*additionalData\./, '')}
          </RouterLink>
        </Link>
      )}
    </>
  );
}

/** Errors as lines: what the service says, its code, and what caused it. */
function Reasons({ errors, view }: { errors: readonly PlacedError[]; view: BatchView }) {
  return errors.map((placed, index) => (
    <Flex key={index} columnGap="3" wrap="wrap" align="baseline" fontSize="sm">
      <Text color="failed" overflowWrap="anywhere">
        {errorText(placed.error)}
      </Text>
      {placed.error.code && placed.error.code !== errorText(placed.error) && (
        <Box as="code" color="fg.muted" fontSize="xs">
          {placed.error.code}
        </Box>
      )}
      <Leads placed={placed} view={view} />
    </Flex>
  ));
}

/** Why a payment is held or came back, and what can be done: to pay it again to the same account would fail again. */
function Afterwards({ payment }: Pick<PlacedPayment, 'payment'>) {
  return (
    <Flex columnGap="3" wrap="wrap" align="baseline" fontSize="sm">
      <Text color="waiting" overflowWrap="anywhere">
        {afterPaid(payment)}
      </Text>
      {isReturned(payment) && (
        <Link asChild>
          <RouterLink to={creditor.path}>Correct the payee</RouterLink>
        </Link>
      )}
    </Flex>
  );
}

const paymentColumns: readonly Column<PlacedPayment>[] = [
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
    text: ({ status, errors, payment }) =>
      [status, afterPaid(payment), ...errors.map(({ error }) => errorText(error))].filter(Boolean).join(' '),
    cell: ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge>,
  },
];

/** Names invoices, and counts those that are not named. */
const namesOf = ({ invoices, count }: StaysPaid): string =>
  invoices.join(', ') + (count > invoices.length ? ` and ${count - invoices.length} more` : '');

/** Invoices that are not open for another payment, although the service reports a failure. */
function StillPaid({ reasons }: { reasons: readonly StaysPaid[] }) {
  return (
    <Callout as="section" aria-label="Invoices that count as paid" tone="waiting" size="sm">
      <Text>These invoices count as paid, although the service reports a failure:</Text>
      {reasons.map((each) => (
        <Text key={each.reason} fontSize="sm" overflowWrap="anywhere">
          <strong>{namesOf(each)}</strong>: {each.reason}
        </Text>
      ))}
    </Callout>
  );
}

/** The payments of a batch, failed ones and those that came back first, each with its status and its errors. */
export function BatchPayments({ view }: { view: BatchView }) {
  const { placed } = useMemo(() => placedPayments(view), [view]);
  const below = useCallback(
    ({ errors, payment }: PlacedPayment) =>
      (errors.length > 0 || afterPaid(payment) !== '') && (
        <>
          {afterPaid(payment) && <Afterwards payment={payment} />}
          <Reasons errors={errors} view={view} />
        </>
      ),
    [view],
  );
  return (
    <>
      {view.staysPaid.length > 0 && <StillPaid reasons={view.staysPaid} />}
      {placed.length > 0 && (
        <Stack gap="2">
          <PaymentsBar placed={placed} />
          <DataTable
            caption={['payment', 'payments']}
            columns={paymentColumns}
            rows={placed}
            rowKey={({ position }) => String(position)}
            address="payments-"
            statusOf={({ status }) => status}
            below={below}
            wraps
            empty={null}
          />
        </Stack>
      )}
    </>
  );
}

/** The columns of the specification; errors that name no payment lead to what caused them. */
const errorColumns = (view: BatchView): Column<BatchError>[] => {
  const others = new Map(placedPayments(view).others.map((placed) => [placed.error, placed]));
  return (['target', 'message', 'code', 'index', 'resourceId', 'sourceId'] as const).map((name) => ({
    id: name,
    title: name,
    text: (error) => String(error[name] ?? ''),
    cell: (error) => {
      const placed = others.get(error);
      if (name !== 'message')
        return name.endsWith('Id') ? <ShortId value={String(error[name] ?? '')} /> : <Code>{error[name]}</Code>;
      return (
        <Flex columnGap="3" wrap="wrap">
          {error.message}
          {placed && <Leads placed={placed} view={view} />}
        </Flex>
      );
    },
  }));
};

/** The errors of a batch with all their members (behaviour, section 8). */
export function BatchErrors({ view }: { view: BatchView }) {
  const { errors } = view;
  const columns = useMemo(() => errorColumns(view), [view]);
  const numbered = useMemo(() => new Map(errors.map((error, index) => [error, String(index)])), [errors]);
  if (errors.length === 0) return null;
  return (
    <Stack gap="2">
      <Heading as="h2">Errors</Heading>
      <Box css={broadListWidth}>
        <DataTable
          caption={['error', 'errors']}
          columns={columns}
          rows={errors}
          rowKey={(error) => numbered.get(error) ?? ''}
          address="errors-"
          wraps
          empty={null}
        />
      </Box>
    </Stack>
  );
}

/** The batch as the service sent it (behaviour, section 2). */
export function RawBatch({ raw }: Pick<BatchView, 'raw'>) {
  return (
    <Stack gap="2">
      <Heading as="h2">As the service sent it</Heading>
      <JsonView value={raw} what="batch" whole="folded" />
    </Stack>
  );
}
