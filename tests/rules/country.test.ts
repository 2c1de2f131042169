import { expect, it } from 'vitest';
import { countryName } from '#rules/country.ts';

it.each([
  ['GB', 'United Kingdom (GB)'],
  ['ZA', 'South Africa (ZA)'],
  ['XX', 'XX'],
  ['GBR', 'GBR'],
  ['gb', 'gb'],
  ['', ''],
  ['another country', 'another country'],
])('the country %j is called %j', (code, name) => {
  expect(countryName(code)).toBe(name);
});
