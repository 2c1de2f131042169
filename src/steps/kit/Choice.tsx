import { FilterSelect, type Option } from './FilterSelect.tsx';

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
