import type { FileFormatDefinition, Wording } from '../definition.ts';
import { englishText, amountInAnyCurrency } from '../wording/country.ts';
import { digits, executionDate } from './english.ts';
import { amount, amountPath, checked, currencyPath, numeric, record } from './record.ts';

const header = record('Header');
const detail = record('Detail');
const contra = record('Trailer', 1);
const trailer = record('Trailer', 2);

const branch = digits('Branch code', 'Six digits', '999005');
const account: Wording = {
  uiLabel: 'Account number',
  description: 'Seven to eleven digits',
  example: '1234567890',
  regex: String.raw`^\d{7,11}$`,
  errorMessage: 'Account number: enter seven to eleven digits, such as 1234567890',
};
const payeeAccount = 'payments.creditorAccount.identification';
const [userBranch, userAccount] = ['debtorAgent.identification', 'debtorAccount.identification'] as const;
const [userCode, shortName] = ['additionalData.userCode', 'userIdentification.name'] as const;
const executionPath = 'requestedExecutionDateTime';
const date = { date: 'YYMMDD' } as const;
/** The identifier of payments at the exchange, and T for a test: a file of the sandbox is no live one. */
const exchange = '020T';

/**
 * A user set of BankservAfrica as ABSA takes it: records 04, 10, 12 and 92 of 198 columns, of which 18 are the exchange's.
 * The contra record 12 debits the total from the paying account, and the hash includes its account.
 *
 * Columns: the comments of a public writer of ABSA's format. Not confirmed by a document: all of them; `YY` and the purge
 * date of record 04; entry class 88; the accounts of more than eleven digits at 135-154, which are not taken here. The lines
 * of the transmission around the user set (000 and 999) are the bank's and not written. The file does not name a currency.
 */
export const zaFileFormats: readonly FileFormatDefinition[] = [
  {
    fileFormatId: '9f84f7ed-4a0b-4b6f-9e93-3adb5c27f006',
    name: 'EFT credits by branch code',
    country: 'ZA',
    languages: ['en'],
    rules: [
      header.constant('1-6', `${exchange}04`),
      header.required('7-10', userCode, digits('User code', 'Four digits, given by your bank', '1234')),
      header.created('11-16', 'YYMMDD'),
      header.copy('17-22', executionPath, date),
      header.required('23-28', executionPath, executionDate, date),
      header.copy('29-34', executionPath, date),
      header.constant('35-40', '000001'),
      header.required(
        '41-44',
        'additionalData.generationNumber',
        digits('Generation number', 'Four digits, one more for each file', '0001'),
      ),
      header.constant('45-54', 'BATCH'),
      header.constant('55-56', 'YY'),
      header.constant('57-198', ''),

      checked(currencyPath, {
        uiLabel: 'Currency',
        description: 'Three capital letters, the same for all payments of a file',
        example: 'ZAR',
        regex: '^[A-Z]{3}$',
        errorMessage: 'Currency: enter three capital letters, such as ZAR',
      }),
      detail.constant('1-6', `${exchange}10`),
      detail.required('7-12', userBranch, branch),
      detail.required('13-23', userAccount, account, numeric),
      detail.copy('24-27', userCode),
      detail.number('28-33', 'payment'),
      detail.required('34-39', 'payments.creditorAgent.identification', branch),
      detail.required('40-50', payeeAccount, account, numeric),
      detail.required('51-51', 'payments.additionalData.accountType', {
        uiLabel: 'Type of account',
        description: 'Kind of the payees’ accounts',
        example: '1',
        errorMessage: 'Type of account: choose current, savings or transmission',
        enumeration: [
          { value: '1', description: '1 Current' },
          { value: '2', description: '2 Savings' },
          { value: '3', description: '3 Transmission' },
        ],
      }),
      detail.required(
        '52-62',
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
      detail.copy('63-68', executionPath, date),
      detail.constant('69-71', '880'),
      detail.required('75-84', shortName, englishText('Short name of the user', 'Applewick', 10)),
      detail.optional('85-104', 'payments.remittanceInformation.reference', englishText('Reference', 'INV-1001', 20)),
      detail.required('105-134', 'payments.creditor.name', englishText('Payee name', 'Protea Stationers', 30)),
      detail.constant('135-154', '0'.repeat(20)),
      detail.constant('171-172', '21'),
      detail.constant('173-198', ''),

      contra.constant('1-6', `${exchange}12`),
      contra.copy('7-12', userBranch),
      contra.copy('13-23', userAccount, numeric),
      contra.copy('24-27', userCode),
      contra.count('28-33', 'payments', 1),
      contra.copy('34-39', userBranch),
      contra.copy('40-50', userAccount, numeric),
      contra.constant('51-51', '1'),
      contra.sum('52-62', amountPath),
      contra.copy('63-68', executionPath, date),
      contra.constant('69-74', '100000'),
      contra.copy('75-84', shortName),
      contra.constant('85-104', 'CONTRA'),
      contra.constant('105-198', ''),

      trailer.constant('1-6', `${exchange}92`),
      trailer.copy('7-10', userCode),
      trailer.constant('11-16', '000001'),
      trailer.count('17-22', 'payments', 1),
      trailer.copy('23-28', executionPath, date),
      trailer.copy('29-34', executionPath, date),
      // Debits, credits and contra records.
      trailer.constant('35-40', '000001'),
      trailer.count('41-46', 'payments'),
      trailer.constant('47-52', '000001'),
      trailer.sum('53-64', amountPath),
      trailer.sum('65-76', amountPath),
      trailer.sum('77-88', payeeAccount, { ...numeric, truncate: true }, userAccount),
      trailer.constant('89-198', ''),
    ],
  },
];
