import { Box, NativeSelect } from '@chakra-ui/react';
import { lazy, Suspense } from 'react';
import { chunk } from './chunk.ts';
import type { Option } from './FilterSelect.tsx';

/** Most forms have no long list and do not load it. */
const FilterSelect = lazy(() => chunk(async () => ({ default: (await import('./FilterSelect.tsx')).FilterSelect })));

/** Up to here all options are looked through at once; longer lists filter. */
export const shortList = 12;

/**
 * The control of a choice, inside a Field.Root with the control's `id`: a native select, or for a long list one that
 * filters. `empty` is what '' means; without it nothing but `options` can be chosen.
 */
export function Choice(props: {
  id: string;
  label: string;
  options: readonly Option[];
  value: string;
  onChange: (value: string) => void;
  empty?: string;
  invalid?: boolean;
  describedBy?: string;
}) {
  const { empty, ...choice } = props;
  const { options, value, onChange, describedBy } = choice;
  if (options.length > shortList)
    return (
      <Suspense fallback={<Box height="8" />}>
        <FilterSelect {...choice} />
      </Suspense>
    );
  return (
    <NativeSelect.Root>
      <NativeSelect.Field
        value={value}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.target.value)}
      >
        {empty !== undefined && <option value="">{empty}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </NativeSelect.Field>
      <NativeSelect.Indicator />
    </NativeSelect.Root>
  );
}
