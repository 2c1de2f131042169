import { Box } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useCallback, useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { executionDate, paymentChoices, pricedInvoices, totalText } from '#machines/payment/payment.ts';
import { Bar } from '../kit/Bar.tsx';
import { FormField } from '../kit/FormField.tsx';
import { FormFrame } from '../kit/FormFields.tsx';
import { sameVisit } from '../kit/visit.ts';
import { useForm } from '../useForm.ts';
import { bankAccountField } from './choices.ts';
import { DateChoice } from './DateChoice.tsx';
import { InvoiceSelector } from './InvoiceSelector.tsx';
import type { PaymentActor } from './PaymentStep.tsx';

/** Bank account, execution date, additional data and invoices; the review follows (behaviour, section 10.9). */
export function PaymentForm({ actor }: { actor: PaymentActor }) {
  const { debtors, debtorId, facts, invoices, invoiceCount, ticked, date, today } = useSelector(
    actor,
    ({ context }) => context,
  );
  const { onCancel, stays = false, ...frame } = useForm(actor);
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
    <FormFrame {...frame} wide>
      {(fields, controlOf, form) => (
        <>
          <Box display="grid" gap="5" gridTemplateColumns="minmax(0, 1fr)" maxWidth="form">
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
          </Box>
          <InvoiceSelector
            id={controlOf(paymentChoices.invoices)}
            invoices={priced}
            count={invoiceCount}
            ticked={ticked}
            total={total}
            error={errorOf(paymentChoices.invoices)}
            onTick={tick}
            onCount={ask}
          />
          <Bar
            leave={[{ label: 'Cancel', onPress: onCancel, rests: stays }]}
            primary={{ label: 'Review', form, rests: frame.busy ?? false }}
          />
        </>
      )}
    </FormFrame>
  );
}
