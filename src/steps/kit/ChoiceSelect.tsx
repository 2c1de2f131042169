import { Field } from '@chakra-ui/react';
import { useId } from 'react';
import { Choice } from './Choice.tsx';
import type { Option } from './FilterSelect.tsx';

/** A choice outside of a form of rules: it counts at once. `empty` is what '' means, if it can be chosen. */
export function ChoiceSelect(props: {
  label: string;
  options: readonly Option[];
  value: string;
  onChange: (value: string) => void;
  empty?: string;
}) {
  const id = useId();
  return (
    <Field.Root id={id} role="none" maxWidth="20rem">
      <Field.Label>{props.label}</Field.Label>
      <Choice id={id} {...props} />
    </Field.Root>
  );
}
