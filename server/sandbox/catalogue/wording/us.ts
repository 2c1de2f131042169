import type { Wording } from '../definition.ts';
import { englishWords } from './country.ts';

export const routingNumber: Wording = {
  uiLabel: 'Routing number',
  description: 'Nine digits, at the bottom left of a check',
  example: '123456780',
  regex: String.raw`^\d{9}$`,
  errorMessage: 'Routing number: enter nine digits, such as 123456780',
};

export const accountNumber: Wording = {
  uiLabel: 'Account number',
  description: 'Four to seventeen digits',
  example: '000123456789',
  regex: String.raw`^\d{4,17}$`,
  errorMessage: 'Account number: enter four to seventeen digits, such as 000123456789',
};

export const entryClass: Wording = {
  uiLabel: 'Standard entry class',
  description: 'Whether companies or people are paid',
  example: 'CCD',
  errorMessage: 'Standard entry class: choose whether companies or people are paid',
  enumeration: [
    { value: 'CCD', description: 'CCD: companies' },
    { value: 'PPD', description: 'PPD: people' },
  ],
};

export const us = englishWords({
  agent: routingNumber,
  account: accountNumber,
  currency: { value: 'USD', description: 'US dollar' },
  payee: 'Prairie Office Supply',
  subdivision: { uiLabel: 'State', example: 'Nebraska' },
  countryCode: 'US',
  postalCode: {
    uiLabel: 'ZIP code',
    description: 'Five digits, or five and four',
    example: '01234',
    regex: String.raw`^\d{5}(-\d{4})?$`,
    errorMessage: 'ZIP code: enter five digits, such as 01234',
  },
  referenceLength: 15,
});
