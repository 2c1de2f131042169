import type { FileFormatDefinition } from '../definition.ts';
import { englishText } from '../wording/country.ts';
import { entryClass, us } from '../wording/us.ts';
import { digits, executionDate, userName } from './english.ts';
import { amount, amountPath, checked, currencyPath, numeric, record } from './record.ts';

const file = record('Header', 1);
const batch = record('Header', 2);
const entry = record('Detail');
const batchControl = record('Trailer', 1);
const fileControl = record('Trailer', 2);

const company = 'additionalData.companyId';
const payingBank = 'debtorAgent.identification';
const payeeBank = 'payments.creditorAgent.identification';
/** A routing number consists of eight digits and a check digit, which is not written. */
const withoutCheckDigit = { part: '1-8' };
/** The hash total is truncated to its last digits. */
const hash = { ...numeric, ...withoutCheckDigit, truncate: true };

/** 94 columns, blocks of ten lines, one batch of credits. */
export const usFileFormats: readonly FileFormatDefinition[] = [
  {
    fileFormatId: '7d62d5cb-28e9-494d-bc71-18b93a05f004',
    name: 'NACHA ACH credits',
    country: 'US',
    languages: ['en'],
    block: { lines: 10, fill: '9' },
    rules: [
      file.constant('1-3', '101'),
      file.required('4-13', payingBank, us.agent, { justify: 'right' }),
      file.required(
        '14-23',
        company,
        digits('Company identification', 'Ten digits, often 1 and the tax number', '1123456789'),
      ),
      file.created('24-29', 'YYMMDD'),
      file.created('30-33', 'HHmm'),
      file.constant('34-40', 'A094101'),
      file.optional(
        '41-63',
        'additionalData.bankName',
        englishText('Name of the paying bank', 'First Bank of Applewick', 23),
      ),
      file.required('64-86', 'userIdentification.name', userName(23)),
      file.constant('87-94', ''),

      batch.constant('1-4', '5220'),
      batch.copy('5-20', 'userIdentification.name', { truncate: true }),
      batch.copy('41-50', company),
      batch.required('51-53', 'additionalData.secCode', entryClass),
      batch.required('54-63', 'additionalData.entryDescription', englishText('Entry description', 'VENDOR PAY', 10)),
      batch.required('70-75', 'requestedExecutionDateTime', executionDate, { date: 'YYMMDD' }),
      batch.constant('79-79', '1'),
      batch.copy('80-87', payingBank, withoutCheckDigit),
      batch.constant('88-94', '0000001'),

      checked(currencyPath, us.currency),
      entry.constant('1-1', '6'),
      entry.required('2-3', 'payments.additionalData.transactionCode', {
        uiLabel: 'Transaction code',
        description: 'Kind of the payees’ accounts',
        example: '22',
        errorMessage: 'Transaction code: choose checking or savings',
        enumeration: [
          { value: '22', description: '22 Credit to checking' },
          { value: '32', description: '32 Credit to savings' },
        ],
      }),
      entry.required('4-12', payeeBank, us.agent),
      entry.required('13-29', 'payments.creditorAccount.identification', us.account),
      entry.required('30-39', amountPath, us.amount, amount),
      entry.optional('40-54', 'payments.remittanceInformation.reference', us.reference),
      entry.required('55-76', 'payments.creditor.name', us.payeeName, { truncate: true }),
      entry.constant('79-79', '0'),
      entry.copy('80-87', payingBank, withoutCheckDigit),
      entry.number('88-94', 'payment'),

      batchControl.constant('1-4', '8220'),
      batchControl.count('5-10', 'payments'),
      batchControl.sum('11-20', payeeBank, hash),
      batchControl.constant('21-32', '000000000000'),
      batchControl.sum('33-44', amountPath),
      batchControl.copy('45-54', company),
      batchControl.copy('80-87', payingBank, withoutCheckDigit),
      batchControl.constant('88-94', '0000001'),

      fileControl.constant('1-7', '9000001'),
      fileControl.count('8-13', 'blocks'),
      fileControl.count('14-21', 'payments'),
      fileControl.sum('22-31', payeeBank, hash),
      fileControl.constant('32-43', '000000000000'),
      fileControl.sum('44-55', amountPath),
      fileControl.constant('56-94', ''),
    ],
  },
];
