import type { Wording } from '../definition.ts';
import { englishWords } from './country.ts';

export const sortCode: Wording = {
  uiLabel: 'Sort code',
  description: 'Six digits without dashes',
  example: '112233',
  regex: String.raw`^\d{6}$`,
  errorMessage: 'Sort code: enter six digits without dashes, such as 112233',
};

export const accountNumber: Wording = {
  uiLabel: 'Account number',
  description: 'Eight digits',
  example: '12345678',
  regex: String.raw`^\d{8}$`,
  errorMessage: 'Account number: enter eight digits, such as 12345678',
};

export const serviceUserNumber: Wording = {
  uiLabel: 'Service user number',
  description: 'Six digits, as the bank that sponsors your Bacs submissions gave them',
  example: '654321',
  regex: String.raw`^\d{6}$`,
  errorMessage: 'Service user number: enter six digits, such as 654321',
};

export const gb = englishWords({
  agent: sortCode,
  account: accountNumber,
  currency: { value: 'GBP', description: 'Pound sterling' },
  payee: 'Orchard Supplies Ltd',
  subdivision: { uiLabel: 'County', example: 'Somerset' },
  countryCode: 'GB',
  postalCode: {
    uiLabel: 'Postcode',
    description: 'As on a letter',
    example: 'AB1 2CD',
    regex: '^[A-Z0-9]{2,4} ?[A-Z0-9]{3}$',
    errorMessage: 'Postcode: enter it as on a letter, such as AB1 2CD',
  },
  referenceLength: 18,
});
