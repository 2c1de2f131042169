import { Box, Flex, Input, Text } from '@chakra-ui/react';
import type { Invoice } from '#contract/entities.ts';
import { DataTable, type Column } from '../kit/DataTable.tsx';
import { EmptyState } from '../kit/EmptyState.tsx';

const columns: readonly Column<Invoice>[] = [
  {
    id: 'invoiceId',
    title: 'Invoice',
    cell: ({ invoiceId }) => <code>{invoiceId}</code>,
    sort: (row) => row.invoiceId,
  },
  { id: 'creditor', title: 'Creditor', cell: (row) => row.creditorName, sort: (row) => row.creditorName },
  { id: 'description', title: 'Description', cell: (row) => row.description, sort: (row) => row.description },
  // A number only puts the rows in order, nothing is reckoned with it.
  { id: 'amount', title: 'Amount', cell: (row) => `${row.amount} ${row.currency}`, sort: (row) => Number(row.amount) },
];

function Tick(props: { label: string; checked: boolean; some?: boolean; onChange: (checked: boolean) => void }) {
  const { label, checked, some = false, onChange } = props;
  return (
    <Input
      type="checkbox"
      unstyled
      width="4"
      height="4"
      accentColor="accent"
      aria-label={label}
      checked={checked}
      ref={(input: HTMLInputElement | null) => void (input && (input.indeterminate = some))}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

/**
 * Ticking the invoices to pay (spec, section 2). `id` is the DOM id of the whole, `total` the sum of what is ticked by
 * currency, `error` why the choice is not accepted.
 */
export function InvoiceSelector(props: {
  id: string;
  invoices: readonly Invoice[];
  ticked: readonly string[];
  total: string;
  error: string | undefined;
  onTick: (ids: readonly string[]) => void;
}) {
  const { id, invoices, ticked, total, error, onTick } = props;
  const chosen = new Set(ticked);
  const all = invoices.length > 0 && chosen.size === invoices.length;
  const tick = (invoiceId: string, on: boolean) =>
    onTick(on ? [...ticked, invoiceId] : ticked.filter((other) => other !== invoiceId));
  const select: Column<Invoice> = {
    id: 'select',
    title: 'Pay',
    cell: ({ invoiceId }) => (
      <Tick label={`Pay invoice ${invoiceId}`} checked={chosen.has(invoiceId)} onChange={(on) => tick(invoiceId, on)} />
    ),
  };
  return (
    <Box asChild id={id} display="grid" gap="2" borderWidth="0" minWidth="0">
      <fieldset aria-describedby={error && `${id}-error`}>
        <Box asChild fontWeight="semibold">
          <legend>Invoices</legend>
        </Box>
        {error && (
          <Text id={`${id}-error`} color="failed" fontWeight="medium">
            {error}
          </Text>
        )}
        <Flex gap="4" wrap="wrap" align="center">
          <Flex asChild gap="2" align="center">
            <label>
              <Tick
                label="Select all invoices"
                checked={all}
                some={chosen.size > 0 && !all}
                onChange={(on) => onTick(on ? invoices.map(({ invoiceId }) => invoiceId) : [])}
              />
              Select all
            </label>
          </Flex>
          <Text role="status">
            {chosen.size} of {invoices.length} selected{total && `: ${total}`}
          </Text>
        </Flex>
        <DataTable
          caption={invoices.length === 1 ? 'invoice' : 'invoices'}
          columns={[select, ...columns]}
          rows={invoices}
          rowKey={({ invoiceId }) => invoiceId}
          empty={<EmptyState>Invoices of the creditors would be listed here; none are open.</EmptyState>}
        />
      </fieldset>
    </Box>
  );
}
