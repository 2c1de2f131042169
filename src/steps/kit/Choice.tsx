import { FilterSelect, type Option } from './FilterSelect.tsx';
import { Field } from '@chakra-ui/react';

/**
 * The control of a choice, inside a Field.Root whose label names it. `empty` is what '' means and can be chosen like the
 * options; without it nothing but `options` can be chosen.
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
