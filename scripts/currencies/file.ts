/** What `npm run currencies` writes: the currencies of ISO 4217 by their number of decimals. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export const currenciesPath = 'src/contract/currencies.ts';

/** ISO's own list, which the package brings along. */
const list = createRequire(import.meta.url).resolve('currency-codes/iso-4217-list-one.xml');

/** Amendments that are not in the package's list: the decimals of each new code, 'withdrawn' for one that is gone. */
const amended: Readonly<Record<string, string>> = {
  XCG: '2', // 176, from 31 March 2025
  ANG: 'withdrawn', // 176, replaced by XCG
  CUC: 'withdrawn', // 178
  XAD: '2', // 179
  BGN: 'withdrawn', // 180, from 1 January 2026, replaced by EUR
};

const entry = /<Ccy>(?<code>[A-Z]{3})<\/Ccy>\s*<CcyNbr>\d+<\/CcyNbr>\s*<CcyMnrUnts>(?<decimals>[^<]+)</g;

/** Returns the codes by their number of decimals. Those without a minor unit (N.A.), such as gold, are left out. */
function codesByDecimals(): Map<string, string[]> {
  const listed = [...readFileSync(list, 'utf8').matchAll(entry)].map(({ groups }) => [
    groups?.['code'] ?? '',
    groups?.['decimals'] ?? '',
  ]);
  const all = Object.entries({ ...Object.fromEntries(listed), ...amended } as Record<string, string>); // pairs of texts
  const byDecimals = new Map<string, string[]>();
  for (const [code, decimals] of all.sort())
    if (/^\d$/.test(decimals)) byDecimals.set(decimals, [...(byDecimals.get(decimals) ?? []), code]);
  return byDecimals;
}

/** Breaks a list of codes into lines. */
const lines = (codes: readonly string[]): string =>
  Array.from({ length: Math.ceil(codes.length / 25) }, (_, line) => codes.slice(25 * line, 25 * line + 25).join(' '))
    .map((line) => `    ${line}\n`)
    .join('');

export const currenciesFile = (): string => `/**
 * The currencies of ISO 4217 that have a minor unit, by their number of decimals; written by \`npm run currencies\`.
 */
export const currenciesByDecimals = {
${[...codesByDecimals()]
  .sort()
  .map(([decimals, codes]) => `  ${decimals}: \`\n${lines(codes)}  \`,\n`)
  .join('')}} as const;
`;
