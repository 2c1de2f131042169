import { Field as ChakraField, Input } from '@chakra-ui/react';
import { paymentChoices } from '#machines/payment/payment.ts';
import { dateHint, fileFormatField } from './choices.ts';
import { useSelector } from '@xstate/react';
import { useCallback, useId, useMemo } from 'react';
import { FormField } from '../kit/FormField.tsx';
import type { PaymentActor } from './PaymentStep.tsx';

/** The day on which the payment is to be made: today unless another one is chosen (behaviour, section 9). */
export function DateChoice(props: {
  id: string;
  value: string;
  today: string;
  error: string | undefined;
  onChange: (date: string) => void;
}) {
  const { id, value, today, error, onChange } = props;
  const ids = { control: `${id}-field`, helperText: `${id}-hint`, errorText: `${id}-error` }; // as FormField has them
  return (
    <ChakraField.Root
      id={id}
      ids={ids}
      data-field={paymentChoices.date}
      role="none"
      invalid={error !== undefined}
      required
    >
      <ChakraField.Label>Execution date</ChakraField.Label>
      <Input
        type="date"
        width="auto"
        justifySelf="start"
        min={today}
        value={value}
        aria-describedby={`${ids.errorText} ${ids.helperText}`}
        onChange={(event) => onChange(event.target.value)}
      />
      <ChakraField.HelperText>{dateHint(today, new Date())}</ChakraField.HelperText>
      <ChakraField.ErrorText>{error}</ChakraField.ErrorText>
    </ChakraField.Root>
  );
}

/** The bank file template, chosen before anything else and open to another choice afterwards. */
export function FormatChoice({ actor }: { actor: PaymentActor }) {
  const { fileFormats, format } = useSelector(actor, ({ context }) => context);
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
