import { Box, Heading, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useMemo, useRef } from 'react';
import type { SnapshotFrom } from 'xstate';
import type { Creditor } from '#contract/party.ts';
import type { Invoice } from '#contract/payment.ts';
import { executionDate, isLive, payBlocked, payLabel, pricedInvoices, totalText } from '#machines/payment/payment.ts';
import { descriptionOf } from '#machines/lib/state.ts';
import { counted } from '#rules/counted.ts';
import type { Field } from '#rules/field.ts';
import type { FilePreview } from '#rules/paymentFile/preview.ts';
import { Code } from '#ui/Code.tsx';
import { Bar } from '#ui/Bar.tsx';
import { Amount, Details } from '#ui/Details.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { leadingNumber, type Column } from '#ui/rows.ts';
import { useContextValues } from '../kit/useContextValues.ts';
import { Again } from './Again.tsx';
import { amountOf, accountNames } from './choices.ts';
import { FileLines } from './FileLines.tsx';
import { Notes } from './notes.ts';
import type { PaymentActor } from './paymentActor.ts';
import { FieldHint, FieldLabel, FieldRoot, Input } from '#ui/Field.tsx';

/** The input in which the user confirms a payment of real money by typing its total. */
function Confirmation({ actor, total }: { actor: PaymentActor; total: string }) {
  const typed = useSelector(actor, ({ context }) => context.confirmation);
  const mayType = useSelector(actor, (snapshot) => snapshot.can({ type: 'total.confirm', text: '' }));
  return (
    <FieldRoot maxWidth="form" borderInlineStartWidth="4px" borderColor="live" ps="4" py="1">
      <FieldLabel>Type the total to pay real money</FieldLabel>
      <Input
        autoComplete="off"
        value={typed}
        readOnly={!mayType}
        onChange={(event) => actor.send({ type: 'total.confirm', text: event.target.value })}
      />
      <FieldHint>{total}</FieldHint>
    </FieldRoot>
  );
}

/** Agent and account of each creditor, by creditor id. */
const accountsOf = (creditors: readonly Creditor[]): ReadonlyMap<string, string> =>
  new Map(
    creditors.map(({ creditorId, creditorAgentidentification, creditorAccountidentification }) => [
      creditorId,
      `${creditorAgentidentification} ${creditorAccountidentification}`,
    ]),
  );

/** The entered value; for a choice, its label. */
const shown = ({ options }: Field, value = ''): string =>
  options.find((option) => option.value === value)?.label ?? value;

/** The label of Pay while the payment is sent. */
const paying = 'Paying …';

/** What the bank file holds in place of a name, by name. */
const writtenNames = (preview: FilePreview | null): ReadonlyMap<string, string> =>
  new Map(preview?.changes.map(({ given, written }) => [given, written]));

const columnsFor = (accounts: ReadonlyMap<string, string>, written: ReadonlyMap<string, string>): Column<Invoice>[] => [
  {
    id: 'creditor',
    title: 'Creditor',
    text: ({ creditor, creditorName }) => `${creditorName} ${accounts.get(creditor) ?? ''}`.trim(),
    cell: ({ creditor, creditorName }) => (
      <div>
        {creditorName}
        {written.has(creditorName) && (
          <Text fontSize="sm">
            In the file: <Code>{written.get(creditorName)}</Code>
          </Text>
        )}
        <Text color="fg.muted" fontSize="sm">
          {accounts.get(creditor)}
        </Text>
      </div>
    ),
  },
  { id: 'description', title: 'For', text: ({ description }) => description },
  {
    id: 'amount',
    title: 'Amount',
    figures: true,
    text: amountOf,
    order: ({ amount }) => leadingNumber(amount),
    cell: (invoice) => <Amount>{amountOf(invoice)}</Amount>,
  },
];

/** Why Pay is disabled; '' if it is not. */
const reasonOf = (snapshot: SnapshotFrom<PaymentActor>): string =>
  snapshot.can({ type: 'payment.pay' })
    ? ''
    : payBlocked(snapshot.context) ||
      (snapshot.matches({ review: 'settling' })
        ? 'Check the payment: Pay is enabled in a moment'
        : snapshot.matches({ review: 'paying' })
          ? paying
          : descriptionOf(snapshot));

/** Whether the payment was sent before: the failure above offers to resend it. */
const isOutcomeUnknown = (snapshot: SnapshotFrom<PaymentActor>): boolean =>
  snapshot.matches({ review: 'refused' }) && ['unknown', 'done'].includes(snapshot.context.failure?.outcome ?? '');

/** The review before Pay: debtor account, payments, total for each currency and date (behaviour, section 10.9). */
export function PaymentReview({ actor }: { actor: PaymentActor }) {
  const {
    debtors,
    debtorId,
    facts,
    creditors,
    invoices,
    ticked,
    today,
    date,
    format,
    form,
    values,
    prepared,
    preview,
  } = useContextValues(
    actor,
    ...(['debtors', 'debtorId', 'facts', 'creditors', 'invoices', 'ticked', 'today', 'date', 'format'] as const),
    ...(['form', 'values', 'prepared', 'preview'] as const),
  );
  const totals = useMemo(
    () => totalText({ invoices, debtors, debtorId, facts, ticked }),
    [invoices, debtors, debtorId, facts, ticked],
  );
  const live = useSelector(actor, ({ context }) => isLive(context));
  const rests = useSelector(actor, reasonOf);
  const label = useSelector(actor, ({ context }) => payLabel(context));
  const isUnknown = useSelector(actor, isOutcomeUnknown);
  const mayLeave = useSelector(actor, (snapshot) => snapshot.can({ type: 'review.back' }));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const account = useMemo(() => accountNames(debtors).get(debtorId) ?? '', [debtors, debtorId]);
  const columns = useMemo(() => columnsFor(accountsOf(creditors), writtenNames(preview)), [creditors, preview]);
  const paid = useMemo(() => {
    const chosen = new Set(ticked);
    return pricedInvoices({ invoices, debtors, debtorId, facts }).filter(({ invoiceId }) => chosen.has(invoiceId));
  }, [invoices, debtors, debtorId, facts, ticked]);
  // A payment whose outcome is unknown is repeated exactly as first sent, with its execution date.
  const day = prepared?.first?.requestedExecutionDateTime.slice(0, 10) ?? executionDate({ date, today });
  const payees = new Set(paid.map(({ creditor }) => creditor)).size;
  return (
    <Box display="grid" gap="5">
      <Heading as="h2" ref={heading} tabIndex={-1}>
        {prepared?.first ? 'Outcome unknown' : isUnknown ? 'What was sent' : 'Review before paying'}
      </Heading>
      {/* Above the total, so that nobody pays without having read it. */}
      <Again actor={actor} paid={paid} />
      <Details
        items={{
          'From account': account,
          'Bank file template': format?.name ?? '',
          Payments: `${paid.length} to ${counted(payees, 'creditor')}`,
          Total: <strong>{totals}</strong>,
          'Execution date': `${day} (00:00 UTC of that day)`,
          ...Object.fromEntries(form.fields.map((field) => [field.label, shown(field, values[field.id])])),
        }}
      />
      <Notes actor={actor} review />
      <DataTable
        caption={['payment', 'payments']}
        columns={columns}
        rows={paid}
        rowKey={({ invoiceId }) => invoiceId}
        address="review-"
        wraps
        empty={null}
      />
      {format && prepared && <FileLines actor={actor} />}
      {live && <Confirmation actor={actor} total={totals} />}
      <Bar
        leave={[
          { label: 'Back', rests: mayLeave ? '' : rests, onPress: () => actor.send({ type: 'review.back' }) },
          { label: 'Cancel', rests: mayLeave ? '' : rests, onPress: () => actor.send({ type: 'form.cancel' }) },
        ]}
        primary={
          isUnknown
            ? null
            : {
                label: rests === paying ? paying : label,
                rests,
                live,
                onPress: () => actor.send({ type: 'payment.pay' }),
              }
        }
      />
    </Box>
  );
}
