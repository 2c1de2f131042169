import type { FileFormatDefinition, RuleDefinition } from '../definition.ts';
import { gb, serviceUserNumber } from '../wording/gb.ts';
import { digits, executionDate, userName } from './english.ts';
import { amount, amountPath, checked, currencyPath, record } from './record.ts';

const volume = record('Header', 1);
const user = record('Header', 4);
const detail = record('Detail');
const contra = record('Trailer', 1);
const totals = record('Trailer', 4);

const serviceUser = 'additionalData.serviceUserNumber';
const executionPath = 'requestedExecutionDateTime';

/** The two labels of a file, which its end repeats: `label` is HDR or EOF. */
function fileLabels(label: 'HDR' | 'EOF', type: 'Header' | 'Trailer'): readonly RuleDefinition[] {
  const [first, second] = [record(type, 2), record(type, 3)];
  return [
    first.constant('1-5', `${label}1A`),
    first.copy('6-11', serviceUser),
    first.constant('12-15', 'S   '),
    first.copy('16-21', serviceUser),
    first.copy('22-27', 'additionalData.serialNumber'),
    first.constant('28-35', '00010001'),
    first.created('43-47', 'YYDDD'),
    // That a file may expire on its processing day is not confirmed.
    first.copy('49-53', executionPath, { date: 'YYDDD' }),
    first.constant('55-60', '000000'),
    first.constant('61-80', ''),

    second.constant('1-15', `${label}2F0200000100`),
    second.constant('51-52', '00'),
    second.constant('53-80', ''),
  ];
}

/**
 * Labels of 80 columns around records of 100; the contra record debits the total from the paying account.
 *
 * Columns: Bank of Ireland, BACS File Specification, appendix 2; HSBC, Message Implementation Guide (2012); FinDock; three
 * public writers. Not confirmed: whether column 15 of HDR1 is blank or 1, and the expiry date.
 */
export const gbFileFormats: readonly FileFormatDefinition[] = [
  {
    fileFormatId: '6c51c4ba-17d8-483c-ab60-07a829f4f003',
    name: 'Bacs Standard 18',
    country: 'GB',
    languages: ['en'],
    rules: [
      volume.constant('1-4', 'VOL1'),
      volume.required(
        '5-10',
        'additionalData.serialNumber',
        digits('Serial number', 'Six digits that number this submission', '000001'),
      ),
      volume.required('42-47', serviceUser, serviceUserNumber),
      volume.constant('80-80', '1'),

      ...fileLabels('HDR', 'Header'),

      user.constant('1-4', 'UHL1'),
      user.required('6-10', executionPath, executionDate, { date: 'YYDDD' }),
      user.constant('11-16', '999999'),
      user.constant('21-28', '00000000'),
      user.constant('29-37', '1 DAILY'),
      user.constant('38-40', '001'),
      user.constant('41-80', ''),

      checked(currencyPath, gb.currency),
      detail.required('1-6', 'payments.creditorAgent.identification', gb.agent),
      detail.required('7-14', 'payments.creditorAccount.identification', gb.account),
      detail.constant('15-17', '099'),
      detail.required('18-23', 'debtorAgent.identification', gb.agent),
      detail.required('24-31', 'debtorAccount.identification', gb.account),
      detail.required('36-46', amountPath, gb.amount, amount),
      detail.required('47-64', 'userIdentification.name', userName(18)),
      detail.optional('65-82', 'payments.remittanceInformation.reference', gb.reference),
      detail.required('83-100', 'payments.creditor.name', gb.payeeName, { truncate: true }),

      contra.copy('1-6', 'debtorAgent.identification'),
      contra.copy('7-14', 'debtorAccount.identification'),
      contra.constant('15-17', '017'),
      contra.copy('18-23', 'debtorAgent.identification'),
      contra.copy('24-31', 'debtorAccount.identification'),
      contra.sum('36-46', amountPath),
      contra.copy('47-64', 'userIdentification.name'),
      contra.constant('65-82', 'CONTRA'),
      contra.copy('83-100', 'userIdentification.name'),

      ...fileLabels('EOF', 'Trailer'),

      totals.constant('1-4', 'UTL1'),
      totals.sum('5-17', amountPath),
      totals.sum('18-30', amountPath),
      totals.constant('31-37', '0000001'),
      totals.count('38-44', 'payments'),
      totals.constant('45-80', ''),
    ],
  },
];
