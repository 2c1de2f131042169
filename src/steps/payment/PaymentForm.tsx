import { Link, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useCallback, useMemo } from 'react';
import { Link as RouterLink, useLocation, useSearchParams } from 'react-router-dom';
import type { Batch } from '#contract/batch.ts';
import { batch as batchJourney } from '#machines/batch/journeys.ts';
import { executionDate, paymentChoices, pricedInvoices, totalText } from '#machines/payment/payment.ts';
import { descriptionOf } from '#machines/lib/state.ts';
import { Bar } from '#ui/Bar.tsx';
import { FormField } from '#ui/FormField.tsx';
import { FormFrame } from '#ui/FormFields.tsx';
import { shortId } from '#rules/shortId.ts';
import { sameVisit } from '#ui/visit.ts';
import { useContextValues } from '../kit/useContextValues.ts';
import { useForm } from '../useForm.ts';
import { bankAccountField } from './choices.ts';
import { DateChoice } from './DateChoice.tsx';
import type { PaymentActor } from './paymentActor.ts';
import { InvoiceSelector } from './InvoiceSelector.tsx';
import { Stack } from '#ui/surfaces.tsx';

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
    <FormFrame {...frame} wide seek={sought}>
      {(fields, controlOf, form, control) => (
        <>
          {corrected && <Corrects batch={corrected.batch} />}
          <Stack gap="5" maxWidth="form">
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
          </Stack>
          <InvoiceSelector
            id={controlOf(paymentChoices.invoices)}
            invoices={priced}
            count={invoiceCount}
            ticked={ticked}
            total={total}
            error={errorOf(paymentChoices.invoices)}
            marks={marks}
            prefix={controlOf('')}
            sought={control}
            onTick={tick}
            onCount={ask}
          />
          <Bar
            leave={[{ label: 'Cancel', onPress: onCancel, rests: stays ? doing : '' }]}
            primary={{ label: 'Review', form, rests: frame.busy ? doing : '' }}
          />
        </>
      )}
    </FormFrame>
  );
}
