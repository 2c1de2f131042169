import { Box, chakra, Link, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useCallback, useMemo, useState } from 'react';
import { Link as RouterLink, useLocation, useSearchParams } from 'react-router-dom';
import type { Batch } from '#contract/batch.ts';
import { batch as batchJourney } from '#machines/batch/journeys.ts';
import { executionDate, paymentChoices, pricedInvoices, totalText } from '#machines/payment/payment.ts';
import { descriptionOf } from '#machines/lib/state.ts';
import { Bar } from '#ui/Bar.tsx';
import { FormField } from '#ui/FormField.tsx';
import { FormFrame } from '#ui/FormFields.tsx';
import { counted } from '#rules/counted.ts';
import { shortId } from '#rules/shortId.ts';
import { sameVisit } from '#ui/visit.ts';
import { useContextValues } from '../kit/useContextValues.ts';
import { useForm } from '../useForm.ts';
import { bankAccountField } from './choices.ts';
import { DateChoice } from './DateChoice.tsx';
import { Notes } from './notes.ts';
import type { PaymentActor } from './paymentActor.ts';
import { InvoiceSelector } from './InvoiceSelector.tsx';

/** Names the batch from which the form was filled. */
function Corrects({ batch: { batchId, status } }: { batch: Batch }) {
  return (
    <Text color="fg.muted" fontSize="sm">
      Filled in as batch{' '}
      <Link asChild>
        <RouterLink to={`${batchJourney.path}?${new URLSearchParams({ batchId }).toString()}`}>
          {shortId(batchId)}
        </RouterLink>
      </Link>{' '}
      was sent with status {status}. Correct what is marked, then review and pay: this creates a new batch.
    </Text>
  );
}

/**
 * Fields in one line where there is room, with labels, controls and hints each at one height. The first, the account, has
 * the longest value.
 */
const FieldLine = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: 'minmax(9.5rem, 2fr) repeat(auto-fit, minmax(7.5rem, 1fr))',
    columnGap: '3',
    rowGap: '1',
    // Beside an inspector, values would be cut off.
    '@container (max-width: 38rem)': { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
    '& > *': { gridColumn: '1 / -1' },
    '& input': { paddingInlineStart: '2', paddingInlineEnd: '2' },
    '& input[role=combobox]': { paddingInlineEnd: '6' },
    '& > [data-field]': {
      display: 'grid',
      gridColumn: 'auto',
      gridRow: 'span 3',
      gridTemplateRows: 'subgrid',
      gridTemplateColumns: 'minmax(0, 1fr)',
      '& > label': { alignSelf: 'end' },
    },
  },
});

/** The number of selected invoices, their total, and how many of them the filter hides. */
function Chosen({ count, total, hidden }: { count: number; total: string; hidden: number }) {
  return (
    <span role="status">
      {count === 0 ? 'No invoice selected' : counted(count, 'invoice')}
      {total && ` · ${total}`}
      {hidden > 0 && ` (${hidden} not shown by the filter)`}
    </span>
  );
}

/** Bank account, execution date, additional data and invoices; the review follows (behaviour, section 10.9). */
export function PaymentForm({ actor }: { actor: PaymentActor }) {
  const { debtors, debtorId, facts, invoices, invoiceCount, ticked, date, today, marks, sought, corrected } =
    useContextValues(
      actor,
      ...(['debtors', 'debtorId', 'facts', 'invoices', 'invoiceCount', 'ticked', 'date', 'today'] as const),
      ...(['marks', 'sought', 'corrected'] as const),
    );
  const { onCancel, stays = false, ...frame } = useForm(actor);
  const doing = useSelector(actor, descriptionOf);
  const priced = useMemo(
    () => pricedInvoices({ invoices, debtors, debtorId, facts }),
    [invoices, debtors, debtorId, facts],
  );
  const total = useMemo(
    () => totalText({ invoices, debtors, debtorId, facts, ticked }),
    [invoices, debtors, debtorId, facts, ticked],
  );
  const [hidden, setHidden] = useState(0);
  const [, setAddress] = useSearchParams();
  const location = useLocation();
  const bankAccount = useMemo(() => bankAccountField(debtors), [debtors]);
  const choose = useCallback(
    (_: string, chosen: string) => actor.send({ type: 'debtor.choose', debtorId: chosen }),
    [actor],
  );
  const tick = useCallback((ids: readonly string[]) => actor.send({ type: 'invoices.tick', ids }), [actor]);
  const ask = useCallback(
    (count: number) => {
      actor.send({ type: 'invoices.ask', count });
      setAddress(
        (address) => {
          address.set('invoices', String(count));
          return address;
        },
        { replace: true, state: sameVisit(location) },
      );
    },
    [actor, setAddress, location],
  );
  const errorOf = (field: string) => frame.errors.find((error) => error.id === field)?.message;
  return (
    <FormFrame {...frame} wide inLine seek={sought}>
      {(fields, controlOf, form, control) => (
        <>
          {corrected && <Corrects batch={corrected.batch} />}
          <Box containerType="inline-size">
            <FieldLine>
              <FormField
                id={controlOf(paymentChoices.bankAccount)}
                field={bankAccount}
                value={debtorId}
                error={errorOf(paymentChoices.bankAccount)}
                onChange={choose}
              />
              <DateChoice
                id={controlOf(paymentChoices.date)}
                value={executionDate({ date, today })}
                today={today}
                error={errorOf(paymentChoices.date)}
                onChange={(chosen) => actor.send({ type: 'date.choose', date: chosen })}
              />
              {fields}
            </FieldLine>
          </Box>
          <Notes actor={actor} />
          <InvoiceSelector
            id={controlOf(paymentChoices.invoices)}
            invoices={priced}
            count={invoiceCount}
            ticked={ticked}
            error={errorOf(paymentChoices.invoices)}
            marks={marks}
            prefix={controlOf('')}
            sought={control}
            onTick={tick}
            onCount={ask}
            onHidden={setHidden}
          />
          <Bar
            leave={[{ label: 'Cancel', onPress: onCancel, rests: stays ? doing : '' }]}
            reason={<Chosen count={ticked.length} total={total} hidden={hidden} />}
            primary={{ label: 'Review', form, rests: frame.busy ? doing : '' }}
          />
        </>
      )}
    </FormFrame>
  );
}
