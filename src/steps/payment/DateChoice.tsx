import { daysFrom } from '#contract/executionDate.ts';
import { paymentChoices } from '#machines/payment/payment.ts';
import { dateHint, fileFormatField } from './choices.ts';
import { useCallback, useId, useMemo } from 'react';
import { FieldError, FieldHint, FieldLabel, FieldRoot, Input } from '#ui/Field.tsx';
import { FormField } from '#ui/FormField.tsx';
import { useContextValues } from '../kit/useContextValues.ts';
import type { PaymentActor } from './paymentActor.ts';

/** The execution date, as YYYY-MM-DD: today unless another one is chosen (behaviour, section 9). */
export function DateChoice(props: {
  id: string;
  value: string;
  today: string;
  error: string | undefined;
  onChange: (date: string) => void;
}) {
  const { id, value, today, error, onChange } = props;
  const { first, last } = daysFrom(today);
  const hint = dateHint(today, new Date());
  return (
    <FieldRoot id={id} data-field={paymentChoices.date} invalid={error !== undefined} required>
      <FieldLabel>Execution date</FieldLabel>
      <Input type="date" min={first} max={last} value={value} onChange={(event) => onChange(event.target.value)} />
      {hint && error === undefined && <FieldHint>{hint}</FieldHint>}
      <FieldError>{error}</FieldError>
    </FieldRoot>
  );
}

/** The choice of the bank file template: required first, and changeable later. */
export function FormatChoice({ actor }: { actor: PaymentActor }) {
  const { fileFormats, format } = useContextValues(actor, 'fileFormats', 'format');
  const onChange = useCallback(
    (_: string, fileFormatId: string) => actor.send({ type: 'format.choose', fileFormatId }),
    [actor],
  );
  return (
    <FormField
      id={useId()}
      field={useMemo(() => fileFormatField(fileFormats), [fileFormats])}
      value={format?.fileFormatId ?? ''}
      error={undefined}
      onChange={onChange}
    />
  );
}
