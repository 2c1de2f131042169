import { Box, Flex, Text } from '@chakra-ui/react';
import { memo } from 'react';
import { invoiceCounts } from '#contract/constants.ts';
import type { Invoice } from '#contract/payment.ts';
import { paymentChoices } from '#machines/payment/payment.ts';
import { Amount, EmptyState } from '../kit/Details.tsx';
import { ChoiceSelect } from '../kit/Choice.tsx';
import { DataTable } from '../kit/DataTable.tsx';
import { leadingNumber, type Column } from '../kit/rows.ts';
import { withShortIds } from '../kit/shortId.ts';
import { amountOf, standingOf } from './choices.ts';
import { idOf, Tick, TickAll, Ticked } from './Ticks.tsx';

const columns: readonly Column<Invoice>[] = [
  {
    id: 'invoiceId',
    title: 'Invoice',
    text: ({ invoiceId, description }) => `${invoiceId} ${description}`,
    cell: ({ invoiceId, description }) => (
      <div>
        <Box as="code" whiteSpace="nowrap">
          {invoiceId}
        </Box>
        <Text color="fg.muted" fontSize="xs" lineHeight="xs">
          {description}
        </Text>
      </div>
    ),
  },
  { id: 'creditor', title: 'Creditor', text: ({ creditorName }) => creditorName },
  {
    id: 'amount',
    title: 'Amount',
    figures: true,
    text: amountOf,
    order: ({ amount }) => leadingNumber(amount),
    cell: (invoice) => <Amount>{amountOf(invoice)}</Amount>,
  },
  {
    id: 'payment',
    title: 'Paid',
    text: standingOf,
    cell: (invoice) => (
      <Text
        as="span"
        color={invoice.payment ? 'fg' : 'fg.muted'}
        fontSize="xs"
        lineHeight="xs"
        title={standingOf(invoice)}
      >
        {withShortIds(standingOf(invoice))}
      </Text>
    ),
  },
];

const counts = invoiceCounts.map((count) => ({ value: String(count), label: count.toLocaleString('en-GB') }));

/**
 * The list of invoices with a checkbox for each (behaviour, section 2). `id` is the fieldset's DOM id, `count` the
 * number of invoices requested, `total` the sum of the ticked ones for each currency, `error` the selection's error.
 */
export const InvoiceSelector = memo(function InvoiceSelector(props: {
  id: string;
  invoices: readonly Invoice[];
  count: number;
  ticked: readonly string[];
  total: string;
  error: string | undefined;
  onTick: (ids: readonly string[]) => void;
  onCount: (count: number) => void;
}) {
  const { id, invoices, count, ticked, total, error, onTick, onCount } = props;
  const chosen = new Set(ticked);
  const tick = (invoiceId: string, on: boolean) =>
    onTick(on ? [...ticked, invoiceId] : ticked.filter((other) => other !== invoiceId));
  return (
    <Box asChild id={id} data-field={paymentChoices.invoices} display="grid" gap="2" borderWidth="0" minWidth="0">
      <fieldset aria-describedby={error && `${id}-error`}>
        <Box asChild fontWeight="semibold">
          <legend>Invoices</legend>
        </Box>
        {error && (
          <Text id={`${id}-error`} color="failed" fontWeight="medium">
            {error}
          </Text>
        )}
        <ChoiceSelect
          label="Invoices to list"
          options={counts}
          value={String(count)}
          onChange={(chosenCount) => onCount(Number(chosenCount))}
        />
        <DataTable
          caption={invoices.length === 1 ? 'invoice' : 'invoices'}
          columns={columns}
          rows={invoices}
          rowKey={idOf}
          address=""
          wraps
          above={(shown, filtered) => (
            <Flex gap="4" wrap="wrap" align="center">
              <TickAll chosen={chosen} onTick={onTick} shown={shown} filtered={filtered} />
              <Ticked chosen={chosen} invoices={invoices.length} shown={shown} total={total} />
            </Flex>
          )}
          choose={{
            title: 'Pay',
            cell: ({ invoiceId }) => (
              <Tick
                label={`Pay invoice ${invoiceId}`}
                checked={chosen.has(invoiceId)}
                onChange={(on) => tick(invoiceId, on)}
              />
            ),
          }}
          empty={<EmptyState>Invoices of the creditors would be listed here; none are open.</EmptyState>}
        />
      </fieldset>
    </Box>
  );
});
