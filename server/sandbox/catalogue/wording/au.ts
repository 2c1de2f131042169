import type { Wording } from '../definition.ts';
import { englishText, englishWords } from './country.ts';

export const bsb: Wording = {
  uiLabel: 'BSB',
  description: 'Three digits, a dash, three digits',
  example: '999-001',
  regex: String.raw`^\d{3}-\d{3}$`,
  errorMessage: 'BSB: enter six digits with a dash in the middle, such as 999-001',
};

export const accountNumber: Wording = {
  uiLabel: 'Account number',
  description: 'Five to nine digits',
  example: '123456789',
  regex: String.raw`^\d{5,9}$`,
  errorMessage: 'Account number: enter five to nine digits, such as 123456789',
};

export const userNumber: Wording = {
  uiLabel: 'Direct entry user number',
  description: 'Six digits, given by your bank',
  example: '301500',
  regex: String.raw`^\d{6}$`,
  errorMessage: 'Direct entry user number: enter six digits, such as 301500',
};

export const entryDescription: Wording = englishText('Description of the entries', 'CREDITORS', 12);

export const au = englishWords({
  agent: bsb,
  account: accountNumber,
  currency: { value: 'AUD', description: 'Australian dollar' },
  payee: 'Wombat Creek Stationers',
  subdivision: { uiLabel: 'State or territory', example: 'Tasmania' },
  countryCode: 'AU',
  postalCode: {
    uiLabel: 'Postcode',
    description: 'Four digits',
    example: '7000',
    regex: String.raw`^\d{4}$`,
    errorMessage: 'Postcode: enter four digits, such as 7000',
  },
  referenceLength: 18,
});
