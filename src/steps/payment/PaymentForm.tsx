import { Box, Button, chakra, Flex } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useId, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { paymentChoices, reviewTotals } from '#machines/payment.ts';
import { amountText } from '#rules/batch.ts';
import { ErrorSummary } from '../kit/ErrorSummary.tsx';
import { FormField } from '../kit/FormField.tsx';
import { sameVisit } from '../kit/visit.ts';
import { bankAccountField } from './choices.ts';
import { InvoiceSelector } from './InvoiceSelector.tsx';
import type { PaymentActor } from './PaymentStep.tsx';

/** Bank account, additional data and invoices; what comes of it is shown before anything is paid (ux, rule 9). */
export function PaymentForm({ actor }: { actor: PaymentActor }) {
  const { form, values, errors, debtors, debtorId, invoices, invoiceCount, ticked } = useSelector(
    actor,
    ({ context }) => context,
  );
  const total = useMemo(() => amountText(reviewTotals({ invoices, ticked })), [invoices, ticked]);
  const [, setAddress] = useSearchParams();
  const location = useLocation();
  const [attempt, setAttempt] = useState(0);
  const id = useId();
  const controlOf = (field: string) => `${id}${field}`;
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
        actor.send({ type: 'form.submit' });
      }}
    >
      <ErrorSummary
        lines={errors.map((error) => ({ control: controlOf(error.id), message: error.message }))}
        attempt={attempt}
      />
      <Box display="grid" gap="5" maxWidth="form">
        <FormField
          id={controlOf(paymentChoices.bankAccount)}
          field={bankAccountField(debtors)}
          value={debtorId}
          error={errorOf(paymentChoices.bankAccount)}
          onChange={(chosen) => actor.send({ type: 'debtor.choose', debtorId: chosen })}
        />
        {form.fields.map((field) => (
          <FormField
            key={field.id}
            id={controlOf(field.id)}
            field={field}
            value={values[field.id] ?? ''}
            error={errorOf(field.id)}
            onChange={(value) => actor.send({ type: 'form.change', field: field.id, value })}
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
        onTick={(ids) => actor.send({ type: 'invoices.tick', ids })}
        onCount={(count) => {
          actor.send({ type: 'invoices.ask', count });
          setAddress(
            (address) => {
              address.set('invoices', String(count));
              return address;
            },
            { replace: true, state: sameVisit(location) },
          );
        }}
      />
      <Flex gap="2">
        <Button type="submit" variant="solid">
          Review
        </Button>
        <Button onClick={() => actor.send({ type: 'form.cancel' })}>Cancel</Button>
      </Flex>
    </chakra.form>
  );
}
