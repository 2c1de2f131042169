import { Box, Button, Flex, Heading } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useRef } from 'react';
import type { Invoice } from '#contract/entities.ts';
import { reviewTotals } from '#machines/payment.machine.ts';
import { amountText } from '#rules/batch.ts';
import { DataTable, type Column } from '../kit/DataTable.tsx';
import { Details } from '../kit/Details.tsx';
import { accountName } from './choices.ts';
import type { PaymentActor } from './PaymentStep.tsx';

const columns: readonly Column<Invoice>[] = [
  { id: 'creditor', title: 'Creditor', cell: (row) => row.creditorName, sort: (row) => row.creditorName },
  { id: 'description', title: 'For', cell: (row) => row.description, sort: (row) => row.description },
  { id: 'amount', title: 'Amount', cell: (row) => `${row.amount} ${row.currency}` },
];

/** Who is paid from which account, how many, the total by currency and the date, before Pay (ux, rule 9). */
export function PaymentReview({ actor }: { actor: PaymentActor }) {
  const { debtors, debtorId, invoices, ticked, today, format, form, values } = useSelector(
    actor,
    ({ context }) => context,
  );
  const totals = useSelector(actor, ({ context }) => amountText(reviewTotals(context)));
  const paying = useSelector(actor, (snapshot) => snapshot.matches('paying'));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const debtor = debtors.find((account) => account.debtorId === debtorId);
  const chosen = new Set(ticked);
  const paid = invoices.filter(({ invoiceId }) => chosen.has(invoiceId));
  const payees = new Set(paid.map(({ creditor }) => creditor)).size;
  return (
    <Box display="grid" gap="5">
      <Heading as="h2" ref={heading} tabIndex={-1}>
        Review before paying
      </Heading>
      <Details
        items={{
          'From account': debtor ? accountName(debtor) : '',
          'Bank file template': format?.name ?? '',
          Payments: `${paid.length} to ${payees} ${payees === 1 ? 'creditor' : 'creditors'}`,
          Total: <strong>{totals}</strong>,
          'Execution date': `${today} (UTC)`,
          ...Object.fromEntries(form.fields.map(({ id, label }) => [label, values[id] ?? ''])),
        }}
      />
      <DataTable caption="payments" columns={columns} rows={paid} rowKey={({ invoiceId }) => invoiceId} empty={null} />
      <Flex gap="2" wrap="wrap">
        <Button variant="solid" aria-disabled={paying} onClick={() => actor.send({ type: 'payment.pay' })}>
          {paying ? 'Paying …' : 'Pay'}
        </Button>
        <Button aria-disabled={paying} onClick={() => actor.send({ type: 'review.back' })}>
          Change
        </Button>
        <Button aria-disabled={paying} onClick={() => actor.send({ type: 'form.cancel' })}>
          Cancel
        </Button>
      </Flex>
    </Box>
  );
}
