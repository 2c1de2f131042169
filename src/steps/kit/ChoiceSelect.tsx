import { Field } from '@chakra-ui/react';
import { Choice } from './Choice.tsx';
import type { Option } from './FilterSelect.tsx';

/** A choice outside of a form of rules: it counts at once. `empty` is what '' means, if it can be chosen. */
export function ChoiceSelect({
  label,
  ...choice
}: {
  label: string;
  options: readonly Option[];
  value: string;
  onChange: (value: string) => void;
  empty?: string;
}) {
  return (
    <Field.Root role="none" maxWidth="20rem">
      <Field.Label>{label}</Field.Label>
      <Choice {...choice} />
    </Field.Root>
  );
}
