import type { FileFormatDefinition, RuleDefinition } from '../definition.ts';
import { au, entryDescription, userNumber } from '../wording/au.ts';
import { executionDate, userName } from './english.ts';
import { amount, amountPath, checked, currencyPath, record } from './record.ts';

const header = record('Header');
const detail = record('Detail');

const opening: readonly RuleDefinition[] = [
  header.constant('1-1', '0'),
  header.constant('19-20', '01'),
  header.required('21-23', 'additionalData.bankCode', {
    uiLabel: 'Bank code',
    description: 'Three capital letters for the bank that takes the file',
    example: 'XYZ',
    regex: '^[A-Z]{3}$',
    errorMessage: 'Bank code: enter three capital letters, such as XYZ',
  }),
  header.required('31-56', 'userIdentification.name', userName(26)),
  header.required('57-62', 'additionalData.userNumber', userNumber),
  header.required('63-74', 'additionalData.description', entryDescription),
  header.required('75-80', 'requestedExecutionDateTime', executionDate, { date: 'DDMMYY' }),
  header.constant('81-120', ''),

  checked(currencyPath, au.currency),
  detail.constant('1-1', '1'),
  detail.required('2-8', 'payments.creditorAgent.identification', au.agent),
  detail.required('9-17', 'payments.creditorAccount.identification', au.account, { justify: 'right' }),
  detail.constant('19-20', '50'),
  detail.required('21-30', amountPath, au.amount, amount),
  detail.required('31-62', 'payments.creditor.name', au.payeeName),
  detail.optional('63-80', 'payments.remittanceInformation.reference', au.reference),
  detail.required('81-87', 'debtorAgent.identification', au.agent),
  detail.required('88-96', 'debtorAccount.identification', au.account, { justify: 'right' }),
  detail.copy('97-112', 'userIdentification.name', { truncate: true }),
  detail.constant('113-120', '00000000'),
];

const balancing = record('Trailer');

/** Columns for the net, credit and debit totals and the number of Detail lines. */
function totals(line: number, balanced: boolean): readonly RuleDefinition[] {
  const trailer = record('Trailer', line);
  return [
    trailer.constant('1-1', '7'),
    trailer.constant('2-8', '999-999'),
    balanced ? trailer.constant('21-30', '0000000000') : trailer.sum('21-30', amountPath),
    trailer.sum('31-40', amountPath),
    balanced ? trailer.sum('41-50', amountPath) : trailer.constant('41-50', '0000000000'),
    trailer.count('75-80', 'payments', balanced ? 1 : 0),
    trailer.constant('81-120', ''),
  ];
}

/** Direct entry, 120 columns; whether the file balances itself depends on the bank (wire, section 9). */
export const auFileFormats: readonly FileFormatDefinition[] = [
  {
    fileFormatId: '4a3fa298-f5b6-461a-894e-e58607d2f001',
    name: 'ABA direct entry',
    country: 'AU',
    languages: ['en'],
    rules: [...opening, ...totals(1, false)],
  },
  {
    fileFormatId: '5b40b3a9-06c7-472b-9a5f-f69718e3f002',
    name: 'ABA direct entry, self-balancing',
    country: 'AU',
    languages: ['en'],
    rules: [
      ...opening,
      balancing.constant('1-1', '1'),
      balancing.copy('2-8', 'debtorAgent.identification'),
      balancing.copy('9-17', 'debtorAccount.identification', { justify: 'right' }),
      balancing.constant('19-20', '13'),
      balancing.sum('21-30', amountPath),
      balancing.copy('31-62', 'userIdentification.name'),
      balancing.copy('63-80', 'additionalData.description'),
      balancing.copy('81-87', 'debtorAgent.identification'),
      balancing.copy('88-96', 'debtorAccount.identification', { justify: 'right' }),
      balancing.copy('97-112', 'userIdentification.name', { truncate: true }),
      balancing.constant('113-120', '00000000'),
      ...totals(2, true),
    ],
  },
];
