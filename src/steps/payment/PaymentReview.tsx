import { Box, Button, Flex, Heading } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useMemo, useRef } from 'react';
import type { Creditor, Invoice } from '#contract/entities.ts';
import { reviewTotals } from '#machines/payment.ts';
import { amountText } from '#rules/batch.ts';
import type { Field } from '#rules/field.ts';
import { DataTable } from '../kit/DataTable.tsx';
import { Details } from '../kit/Details.tsx';
import { leadingNumber, type Column } from '../kit/rows.ts';
import { accountName } from './choices.ts';
import type { PaymentActor } from './PaymentStep.tsx';

/** Where the money goes, by creditor: agent and account. */
const accountsOf = (creditors: readonly Creditor[]): ReadonlyMap<string, string> =>
  new Map(
    creditors.map(({ creditorId, creditorAgentidentification, creditorAccountidentification }) => [
      creditorId,
      `${creditorAgentidentification} ${creditorAccountidentification}`,
    ]),
  );

/** What was entered, a choice by the words that it was chosen by. */
const shown = ({ options }: Field, value = ''): string =>
  options.find((option) => option.value === value)?.label ?? value;

const columnsFor = (accounts: ReadonlyMap<string, string>): Column<Invoice>[] => [
  { id: 'creditor', title: 'Creditor', text: ({ creditorName }) => creditorName },
  { id: 'account', title: 'Account', text: ({ creditor }) => accounts.get(creditor) ?? '' },
  { id: 'description', title: 'For', text: ({ description }) => description },
  {
    id: 'amount',
    title: 'Amount',
    text: ({ amount, currency }) => `${amount} ${currency}`,
    order: ({ amount }) => leadingNumber(amount),
  },
];

/** Who is paid from which account, how many, the total by currency and the date, before Pay (ux, rule 9). */
export function PaymentReview({ actor }: { actor: PaymentActor }) {
  const { debtors, debtorId, creditors, invoices, ticked, today, format, form, values } = useSelector(
    actor,
    ({ context }) => context,
  );
  const totals = useMemo(() => amountText(reviewTotals({ invoices, ticked })), [invoices, ticked]);
  const paying = useSelector(actor, (snapshot) => snapshot.matches('paying'));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const debtor = debtors.find((account) => account.debtorId === debtorId);
  const columns = useMemo(() => columnsFor(accountsOf(creditors)), [creditors]);
  const paid = useMemo(() => {
    const chosen = new Set(ticked);
    return invoices.filter(({ invoiceId }) => chosen.has(invoiceId));
  }, [invoices, ticked]);
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
          ...Object.fromEntries(form.fields.map((field) => [field.label, shown(field, values[field.id])])),
        }}
      />
      <DataTable
        caption={paid.length === 1 ? 'payment' : 'payments'}
        columns={columns}
        rows={paid}
        rowKey={({ invoiceId }) => invoiceId}
        address="review-"
        empty={null}
      />
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
