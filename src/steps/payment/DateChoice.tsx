import { Field as ChakraField, Input } from '@chakra-ui/react';
import { paymentChoices } from '#machines/payment/payment.ts';
import { dateHint, fileFormatField } from './choices.ts';
import { useSelector } from '@xstate/react';
import { useCallback, useId, useMemo } from 'react';
import { FormField } from '../kit/FormField.tsx';
import type { PaymentActor } from './PaymentStep.tsx';

/** The execution date, as YYYY-MM-DD: today unless another one is chosen (behaviour, section 9). */
export function DateChoice(props: {
  id: string;
  value: string;
  today: string;
  error: string | undefined;
  onChange: (date: string) => void;
}) {
  const { id, value, today, error, onChange } = props;
  const ids = { control: `${id}-field`, helperText: `${id}-hint`, errorText: `${id}-error` }; // as in FormField
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

/** The choice of the bank file template: made first, and can be changed afterwards. */
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
