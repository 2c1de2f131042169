import type { FileFormatDefinition } from '../definition.ts';
import { gb, serviceUserNumber } from '../wording/gb.ts';
import { digits, executionDate, userName } from './english.ts';
import { amount, amountPath, checked, currencyPath, record } from './record.ts';

const volume = record('Header', 1);
const file = record('Header', 2);
const user = record('Header', 3);
const detail = record('Detail');
const contra = record('Trailer', 1);
const totals = record('Trailer', 2);

const serviceUser = 'additionalData.serviceUserNumber';

/** Labels of 80 columns around records of 100; the contra record debits the total from the paying account. */
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

      file.constant('1-5', 'HDR1A'),
      file.copy('6-11', serviceUser),
      file.constant('12-12', 'S'),
      file.copy('15-20', serviceUser),
      file.copy('22-27', 'additionalData.serialNumber'),
      file.constant('28-35', '00010001'),
      file.created('43-47', 'YYDDD'),
      file.constant('55-60', '000000'),
      file.constant('61-80', ''),

      user.constant('1-4', 'UHL1'),
      user.required('6-10', 'requestedExecutionDateTime', executionDate, { date: 'YYDDD' }),
      user.constant('11-16', '999999'),
      user.constant('21-22', '00'),
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

      totals.constant('1-4', 'UTL1'),
      totals.sum('5-17', amountPath),
      totals.sum('18-30', amountPath),
      totals.constant('31-37', '0000001'),
      totals.count('38-44', 'payments'),
      totals.constant('45-80', ''),
    ],
  },
];
