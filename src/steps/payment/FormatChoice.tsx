import { useSelector } from '@xstate/react';
import { useCallback, useId, useMemo } from 'react';
import { FormField } from '../kit/FormField.tsx';
import { fileFormatField } from './choices.ts';
import type { PaymentActor } from './PaymentStep.tsx';

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
