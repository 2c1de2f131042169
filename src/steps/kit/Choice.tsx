import { FilterSelect, type Option } from './FilterSelect.tsx';
import { Field } from '@chakra-ui/react';

/**
 * The control of a choice, for use inside a Field.Root, whose label names it. `empty` adds an option with that label
 * and the value ''.
 */
export function Choice({
  empty,
  ...choice
}: {
  options: readonly Option[];
  value: string;
  onChange: (value: string) => void;
  empty?: string;
  name?: string;
  describedBy?: string;
  lang?: string | undefined;
}) {
  const options = empty === undefined ? choice.options : [{ value: '', label: empty }, ...choice.options];
  return <FilterSelect {...choice} options={options} placeholder={empty ?? 'Choose one'} />;
}

/** A labelled choice outside a form: a change takes effect at once. `empty` adds an option for the value ''. */
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
