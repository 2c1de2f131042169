import { FieldLabel, FieldRoot } from './Field.tsx';
import { FilterSelect, type Option } from './FilterSelect.tsx';

/** Options of values that are shown as `nameOf` has them; '' as "none". */
export const choicesOf = (values: readonly string[], nameOf = (value: string) => value): Option[] =>
  values.map((value) => ({ value, label: nameOf(value) || 'none' }));

/**
 * The control of a choice, for use inside a FieldRoot, whose label names it. `empty` adds an option with that label
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
  lang?: string | undefined;
}) {
  const options = empty === undefined ? choice.options : [{ value: '', label: empty }, ...choice.options];
  return <FilterSelect {...choice} options={options} placeholder={empty ?? 'Choose one'} />;
}

/** A labelled choice outside a form; a change takes effect immediately. `empty` adds an option with the value ''. */
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
    <FieldRoot maxWidth="20rem">
      <FieldLabel>{label}</FieldLabel>
      <Choice {...choice} />
    </FieldRoot>
  );
}
