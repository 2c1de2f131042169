import type { FileFormatDefinition, Wording } from '../definition.ts';
import { englishText, amountInAnyCurrency } from '../wording/country.ts';
import { digits, executionDate, userName } from './english.ts';
import { amount, amountPath, currencyPath, numeric, record } from './record.ts';

const header = record('Header');
const detail = record('Detail');
const trailer = record('Trailer');

const branch = digits('Branch code', 'Six digits', '999005');
const account: Wording = {
  uiLabel: 'Account number',
  description: 'Seven to eleven digits',
  example: '1234567890',
  regex: String.raw`^\d{7,11}$`,
  errorMessage: 'Account number: enter seven to eleven digits, such as 1234567890',
};
const payeeAccount = 'payments.creditorAccount.identification';

/** 120 columns; the file contains the currency, and its trailer a hash of the payees' accounts. */
export const zaFileFormats: readonly FileFormatDefinition[] = [
  {
    fileFormatId: '9f84f7ed-4a0b-4b6f-9e93-3adb5c27f006',
    name: 'EFT credits by branch code',
    country: 'ZA',
    languages: ['en'],
    rules: [
      header.constant('1-1', 'H'),
      header.required('2-31', 'userIdentification.name', userName(30)),
      header.required(
        '32-35',
        'additionalData.userCode',
        digits('User code', 'Four digits, given by your bank', '1234'),
      ),
      header.required(
        '36-39',
        'additionalData.generationNumber',
        digits('Generation number', 'Four digits, one more for each file', '0001'),
      ),
      header.created('40-47', 'YYYYMMDD'),
      header.required('48-55', 'requestedExecutionDateTime', executionDate, { date: 'YYYYMMDD' }),
      header.required('56-61', 'debtorAgent.identification', branch),
      header.required('62-72', 'debtorAccount.identification', account, numeric),
      header.required('73-75', currencyPath, {
        uiLabel: 'Currency',
        description: 'Three capital letters, the same for all payments of a file',
        example: 'ZAR',
        regex: '^[A-Z]{3}$',
        errorMessage: 'Currency: enter three capital letters, such as ZAR',
      }),
      header.constant('76-120', ''),

      detail.constant('1-1', 'D'),
      detail.number('2-7', 'payment'),
      detail.required('8-13', 'payments.creditorAgent.identification', branch),
      detail.required('14-24', payeeAccount, account, numeric),
      detail.required('25-54', 'payments.creditor.name', englishText('Payee name', 'Protea Stationers', 30)),
      detail.optional('55-74', 'payments.remittanceInformation.reference', englishText('Reference', 'INV-1001', 20)),
      detail.required(
        '75-85',
        amountPath,
        {
          uiLabel: 'Amount',
          description: 'More than zero, with no more decimals than its currency has',
          example: '120.50',
          regex: amountInAnyCurrency,
          errorMessage: 'Amount: enter more than zero with the decimals of its currency, such as 120.50',
        },
        amount,
      ),
      detail.constant('86-120', ''),

      trailer.constant('1-1', 'T'),
      trailer.count('2-7', 'payments'),
      trailer.sum('8-19', amountPath),
      trailer.sum('20-31', payeeAccount, { ...numeric, truncate: true }),
      trailer.count('32-37', 'lines'),
      trailer.constant('38-120', ''),
    ],
  },
];
