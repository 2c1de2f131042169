import { Box, Button, chakra, Flex } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useCallback, useId, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { paymentChoices, reviewTotals } from '#machines/payment.ts';
import { amountText } from '#rules/batch.ts';
import { ErrorSummary } from '../kit/ErrorSummary.tsx';
import { FormField } from '../kit/FormField.tsx';
import { sameVisit } from '../kit/visit.ts';
import { useForm } from '../useForm.ts';
import { bankAccountField } from './choices.ts';
import { InvoiceSelector } from './InvoiceSelector.tsx';
import type { PaymentActor } from './PaymentStep.tsx';

/** Bank account, additional data and invoices; what comes of it is shown before anything is paid (ux, rule 9). */
export function PaymentForm({ actor }: { actor: PaymentActor }) {
  const { debtors, debtorId, invoices, invoiceCount, ticked } = useSelector(actor, ({ context }) => context);
  const { form, values, errors, onChange, onSubmit, onCancel } = useForm(actor);
  const total = useMemo(() => amountText(reviewTotals({ invoices, ticked })), [invoices, ticked]);
  const [, setAddress] = useSearchParams();
  const location = useLocation();
  const [attempt, setAttempt] = useState(0);
  const id = useId();
  const controlOf = (field: string) => `${id}${field}`;
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
  const errorOf = (field: string) => errors.find((error) => error.id === field)?.message;
  return (
    <chakra.form
      noValidate
      display="grid"
      gap="5"
      minWidth="0"
      onSubmit={(event) => {
        event.preventDefault();
        setAttempt(attempt + 1);
        onSubmit();
      }}
    >
      <ErrorSummary
        lines={errors.map((error) => ({ control: controlOf(error.id), message: error.message }))}
        attempt={attempt}
      />
      <Box display="grid" gap="5" maxWidth="form">
        <FormField
          id={controlOf(paymentChoices.bankAccount)}
          field={bankAccount}
          value={debtorId}
          error={errorOf(paymentChoices.bankAccount)}
          onChange={choose}
        />
        {form.fields.map((field) => (
          <FormField
            key={field.id}
            id={controlOf(field.id)}
            field={field}
            value={values[field.id] ?? ''}
            error={errorOf(field.id)}
            onChange={onChange}
          />
        ))}
      </Box>
      <InvoiceSelector
        id={controlOf(paymentChoices.invoices)}
        invoices={invoices}
        count={invoiceCount}
        ticked={ticked}
        total={total}
        error={errorOf(paymentChoices.invoices)}
        onTick={tick}
        onCount={ask}
      />
      <Flex gap="2">
        <Button type="submit" variant="solid">
          Review
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </Flex>
    </chakra.form>
  );
}
