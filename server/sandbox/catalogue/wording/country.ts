import { accentedLetters } from '#rules/letters.ts';
import type { Wording } from '../definition.ts';

/** The terms that a country's banks use for the parts of a payment, with their checks. */
export interface CountryWords {
  accountName: Wording;
  agent: Wording;
  account: Wording;
  currency: Wording;
  payeeName: Wording;
  secondaryIdentification: Wording;
  addressLine1: Wording;
  addressLine3: Wording;
  countrySubdivision: Wording;
  countryCode: Wording;
  postalCode: Wording;
  amount: Wording;
  reference: Wording;
}

/** Letters, digits and the punctuation that bank systems accept. */
const plainText = (most: number): string => String.raw`^[A-Za-z0-9 .,&'()/-]{1,${most}}$`;

/** Like `plainText`, with all letters that files write without accents or transliterated (rules/letters.ts). */
export const accentedText = (most: number): string => `^[${accentedLetters}0-9 .,&'’()/-]{1,${most}}$`;

/** Above zero, with at most eight digits and this many decimals. */
const positive = (decimals: number): string =>
  String.raw`^(?!0(\.0{1,${decimals}})?$)(0|[1-9]\d{0,7})(\.\d{1,${decimals}})?$`;

/** In a currency with two decimals. */
export const positiveAmount = positive(2);

/** In any currency, whose own decimals are checked with the amount (src/contract/money.ts). */
export const amountInAnyCurrency = positive(4);

/** An English text without accents; its description gives the maximum length in characters (`most`). */
export const englishText = (uiLabel: string, example: string, most: number): Wording => ({
  uiLabel,
  description: `At most ${most} letters, digits and punctuation`,
  example,
  regex: plainText(most),
  errorMessage: `${uiLabel}: enter at most ${most} letters, digits and punctuation, such as ${example}`,
});

interface Particulars {
  agent: Wording;
  account: Wording;
  currency: { value: string; description: string };
  payee: string;
  subdivision: { uiLabel: string; example: string };
  countryCode: string;
  postalCode: Wording;
  referenceLength: number;
}

/** The terms of a country whose providers use English. */
export const englishWords = (country: Particulars): CountryWords => ({
  accountName: englishText('Account name', 'Trading account', 35),
  agent: country.agent,
  account: country.account,
  currency: {
    uiLabel: 'Currency',
    description: 'Currency of the account and of what is paid from it',
    example: country.currency.value,
    errorMessage: `Currency: only ${country.currency.value} is possible here`,
    enumeration: [country.currency],
  },
  payeeName: englishText('Payee name', country.payee, 32),
  secondaryIdentification: englishText('Roll number or second reference of the account', 'R12345', 18),
  addressLine1: englishText('Address', '1 Orchard Lane', 100),
  addressLine3: englishText('Town or city', 'Applewick', 100),
  countrySubdivision: englishText(country.subdivision.uiLabel, country.subdivision.example, 50),
  countryCode: {
    uiLabel: 'Country',
    description: 'Two capital letters',
    example: country.countryCode,
    regex: '^[A-Z]{2}$',
    errorMessage: `Country: enter two capital letters, such as ${country.countryCode}`,
  },
  postalCode: country.postalCode,
  amount: {
    uiLabel: 'Amount',
    description: 'More than zero, at most two decimals',
    example: '120.50',
    regex: positiveAmount,
    errorMessage: 'Amount: enter more than zero with at most two decimals, such as 120.50',
  },
  reference: englishText('Reference', 'INV-1001', country.referenceLength),
});
