import { Box, Button, Text } from '@chakra-ui/react';
import { memo, useCallback, useMemo } from 'react';
import { invoiceCounts, locale } from '#contract/constants.ts';
import type { Invoice } from '#contract/payment.ts';
import { paymentChoices } from '#machines/payment/payment.ts';
import { invoiceChoice } from '#rules/causes.ts';
import { groupedAmounts } from '#rules/groupedAmounts.ts';
import type { FieldError } from '#rules/fieldError.ts';
import { Amount } from '#ui/Details.tsx';
import { foldedText } from '#ui/cards.ts';
import { ChoiceSelect } from '#ui/Choice.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { leadingNumber, type Column } from '#ui/rows.ts';
import { Badge } from '#ui/Badge.tsx';
import { visuallyHidden } from '#ui/visuallyHidden.ts';
import { namedMoment } from '#ui/dates.ts';
import { amountOf, standingBadge, standingOf, standingText, standingTones } from './choices.ts';
import { HiddenCount, idOf, Tick, TickAll } from './Ticks.tsx';

/** The column of the invoice's id, with what it is for in a medium window, and the errors that the service reported. */
const invoiceColumn = (saidOf: (invoice: Invoice) => string): Column<Invoice> => ({
  id: 'invoiceId',
  title: 'Invoice',
  text: (invoice) => [invoice.invoiceId, saidOf(invoice)].filter(Boolean).join(' '),
  cell: (invoice) => (
    <div>
      <Box as="code" whiteSpace="nowrap">
        {invoice.invoiceId}
      </Box>
      <Text css={foldedText} color="fg.muted" fontSize="xs" lineHeight="xs">
        {invoice.description}
      </Text>
      {saidOf(invoice) && (
        <Text color="failed" fontSize="xs" lineHeight="xs" overflowWrap="anywhere">
          {saidOf(invoice)}
        </Text>
      )}
    </div>
  ),
});

/** What stands of an invoice that was paid or sent before, with its time on hover. */
function Standing({ invoice }: { invoice: Invoice }) {
  const { payment } = invoice;
  if (!payment) return null;
  const at = payment.at && namedMoment(new Date(payment.at));
  return (
    <Box as="span" title={[standingText(payment), at].filter(Boolean).join(' ')}>
      <Badge tone={standingTones[standingOf(invoice)]}>{standingBadge(invoice)}</Badge>
    </Box>
  );
}

/** `currency`: that of all invoices, which the title says once; '' if they differ. */
const otherColumns = (currency: string): readonly Column<Invoice>[] => [
  { id: 'description', title: 'For', folds: true, text: ({ description }) => description },
  { id: 'creditor', title: 'Creditor', text: ({ creditorName }) => creditorName },
  {
    id: 'amount',
    title: ['Amount', currency].filter(Boolean).join(', '),
    figures: true,
    text: amountOf,
    order: ({ amount }) => leadingNumber(amount),
    cell: (invoice) => <Amount>{currency ? groupedAmounts(invoice.amount) : amountOf(invoice)}</Amount>,
  },
  {
    id: 'payment',
    title: 'Status',
    text: (invoice) =>
      [standingOf(invoice), standingBadge(invoice), invoice.payment?.batchId].filter(Boolean).join(' '),
    cell: (invoice) => <Standing invoice={invoice} />,
  },
];

const counts = invoiceCounts.map((count) => ({ value: String(count), label: count.toLocaleString(locale) }));

/**
 * The list of invoices with a checkbox for each (behaviour, section 2). `id` is the fieldset's DOM id, `count` the
 * number of invoices requested, `error` the selection's error.
 * `marks` are the errors that the service reported for single invoices, by `invoiceChoice`; `sought` is the control of
 * the invoice to focus.
 */
export const InvoiceSelector = memo(function InvoiceSelector(props: {
  id: string;
  invoices: readonly Invoice[];
  count: number;
  ticked: readonly string[];
  error: string | undefined;
  marks: readonly FieldError[];
  /** The prefix of the DOM ids of the form's controls. */
  prefix: string;
  sought: { control: string } | undefined;
  onTick: (ids: readonly string[]) => void;
  onCount: (count: number) => void;
  /** Receives the number of ticked invoices that the filter hides. */
  onHidden: (hidden: number) => void;
}) {
  const { id, invoices, count, ticked, error, marks, prefix, sought, onTick, onCount, onHidden } = props;
  const said = useMemo(() => new Map(marks.map((each) => [each.id, each.message])), [marks]);
  const [currency = '', ...others] = new Set(invoices.map((each) => each.currency));
  const shared = others.length > 0 ? '' : currency;
  const columns = useMemo(
    () => [
      invoiceColumn(({ invoiceId }) => said.get(invoiceChoice(invoiceId))?.replaceAll(`${invoiceId}: `, '') ?? ''),
      ...otherColumns(shared),
    ],
    [said, shared],
  );
  const mark = useCallback(
    ({ invoiceId }: Invoice) => {
      const choice = invoiceChoice(invoiceId);
      return { id: prefix + choice, wrong: said.has(choice) };
    },
    [prefix, said],
  );
  const chosen = new Set(ticked);
  const more = invoiceCounts.find((each) => each > count);
  const tick = (invoiceId: string, on: boolean) =>
    onTick(on ? [...ticked, invoiceId] : ticked.filter((other) => other !== invoiceId));
  return (
    <Box asChild id={id} data-field={paymentChoices.invoices} display="grid" gap="2" borderWidth="0" minWidth="0">
      <fieldset aria-describedby={error && `${id}-error`}>
        <Box asChild css={visuallyHidden}>
          <legend>Invoices</legend>
        </Box>
        {error && (
          <Text id={`${id}-error`} color="failed" fontWeight="medium">
            {error}
          </Text>
        )}
        <DataTable
          caption={['invoice', 'invoices']}
          columns={columns}
          rows={invoices}
          rowKey={idOf}
          statusOf={standingOf}
          tones={standingTones}
          address=""
          wraps
          mark={mark}
          sought={sought}
          choose={{
            title: 'Pay',
            head: (shown, filtered) => (
              <>
                <TickAll chosen={chosen} onTick={onTick} shown={shown} filtered={filtered} />
                <HiddenCount chosen={chosen} shown={shown} onChange={onHidden} />
              </>
            ),
            cell: ({ invoiceId }) => (
              <Tick
                label={`Pay invoice ${invoiceId}`}
                checked={chosen.has(invoiceId)}
                onChange={(on) => tick(invoiceId, on)}
              />
            ),
          }}
          empty={{
            children: 'Open invoices of the creditors. There are none.',
            ...(more === undefined
              ? { reason: 'The service has no further invoices.' }
              : { action: <Button onClick={() => onCount(more)}>{`Look for ${more} invoices`}</Button> }),
          }}
        />
        <ChoiceSelect
          label="Show"
          options={counts}
          value={String(count)}
          onChange={(chosenCount) => onCount(Number(chosenCount))}
        />
      </fieldset>
    </Box>
  );
});
