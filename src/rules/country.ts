import { locale } from '#contract/constants.ts';

const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });

/** The name of a country with its code, "United Kingdom (GB)"; a text that is no code of two letters as it is. */
export function countryName(code: string): string {
  const name = /^[A-Z]{2}$/.test(code) ? names.of(code) : undefined;
  return name === undefined ? code : `${name} (${code})`;
}
