import type { Provider } from '#contract/lookup.ts';
import { countryName } from './country.ts';

/** An option of a list before it is compared with the others; `more` are details, such as a country. */
interface Option {
  value: string;
  label: string;
  more?: string;
}

const alike = <Item>(items: readonly Item[], textOf: (item: Item) => string): Map<string, number> => {
  const times = new Map<string, number>();
  for (const item of items) times.set(textOf(item), (times.get(textOf(item)) ?? 0) + 1);
  return times;
};

const withMore = ({ label, more = '' }: Option): string => (more === '' ? label : `${label} · ${more}`);

/**
 * The options of a list that a user chooses from. Those with the same label also show their details, and those that still
 * look the same their value, usually an id.
 */
export function distinctOptions<Each extends Option>(options: readonly Each[]): Omit<Each, 'more'>[] {
  const labels = alike(options, ({ label }) => label);
  const detailed = alike(options, withMore);
  return options.map(({ more, ...option }) => {
    const { label, value } = option;
    if (labels.get(label) === 1) return option;
    const told = withMore({ label, value, ...(more !== undefined && { more }) });
    return { ...option, label: detailed.get(told) === 1 ? told : `${told} · ${value}` };
  });
}

/** The providers to choose from; those of one name show their countries. */
export const providerOptions = (providers: readonly Provider[]) =>
  distinctOptions(
    providers.map(({ providerId, name, country }) => ({
      value: providerId,
      label: name,
      more: country.map(countryName).join(', '),
    })),
  );
