import { useSelector } from '@xstate/react';
import { useId } from 'react';
import { FormField } from '../kit/FormField.tsx';
import { fileFormatField } from './choices.ts';
import type { PaymentActor } from './PaymentStep.tsx';

/** The bank file template, chosen before anything else and open to another choice afterwards. */
export function FormatChoice({ actor }: { actor: PaymentActor }) {
  const { fileFormats, format } = useSelector(actor, ({ context }) => context);
  return (
    <FormField
      id={useId()}
      field={fileFormatField(fileFormats)}
      value={format?.fileFormatId ?? ''}
      error={undefined}
      onChange={(fileFormatId) => actor.send({ type: 'format.choose', fileFormatId })}
    />
  );
}
