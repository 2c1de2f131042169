import { executionDatePattern } from '#contract/executionDate.ts';
import type { FileFormatDefinition, Wording } from '../definition.ts';
import { both, ca, canadianLanguages, frenchText, originatorId, transactionCode } from '../wording/ca.ts';
import { amount, amountPath, checked, currencyPath, numeric, record } from './record.ts';

const header = record('Header');
const detail = record('Detail');
const trailer = record('Trailer');

const originator = 'additionalData.originatorId';
const creationNumber = 'additionalData.fileCreationNumber';
/** A zero, the institution number and the transit number. */
const nineDigits = numeric;
const unaccented = { format: 'unaccented' } as const;

const fileCreationNumber: Wording = {
  uiLabel: both('File creation number', 'Numéro de création du fichier'),
  description: both('Four digits, one more for each file', 'Quatre chiffres, un de plus à chaque fichier'),
  example: '0001',
  regex: String.raw`^\d{4}$`,
  errorMessage: both(
    'File creation number: enter four digits, such as 0001',
    'Numéro de création du fichier : saisissez quatre chiffres, par exemple 0001',
  ),
};

const executionDate: Wording = {
  uiLabel: both('Execution date', 'Date d’exécution'),
  description: both('The day on which the payments are to be made', 'Le jour où les paiements doivent être effectués'),
  example: '2026-01-31T00:00:00Z',
  regex: executionDatePattern,
  errorMessage: both(
    'Execution date: enter a date and time in UTC such as 2026-01-31T00:00:00Z',
    'Date d’exécution : saisissez une date et une heure UTC, par exemple 2026-01-31T00:00:00Z',
  ),
};

/** Where the originator's financial institution processes the file. */
const dataCentre: Wording = {
  uiLabel: both('Data centre', 'Centre de traitement'),
  description: both(
    'Five digits, given by your financial institution',
    'Cinq chiffres, attribués par votre institution financière',
  ),
  example: '01020',
  regex: String.raw`^\d{5}$`,
  errorMessage: both(
    'Data centre: enter five digits, such as 01020',
    'Centre de traitement : saisissez cinq chiffres, par exemple 01020',
  ),
};

/**
 * Records A, C and Z of 1464 columns. A C record has room for six segments of 240; here each has one, so that writers that
 * count C records in the trailer and writers that count segments agree.
 *
 * Columns: Treasury Software, CPA 005 1464-byte; Infor, CPA EFT Output Format; @cityssm/eft-generator 1.0.0, whose file is
 * the same (tests/sandbox/catalogue/fileFormats.test.ts). Standard 005 of Payments Canada itself was not seen.
 */
export const caFileFormats: readonly FileFormatDefinition[] = [
  {
    fileFormatId: '8e73e6dc-39fa-4a5e-8d82-29ca4b16f005',
    name: both('CPA 005 EFT credits', 'Crédits TEF, norme 005'),
    country: 'CA',
    languages: canadianLanguages,
    rules: [
      header.constant('1-1', 'A'),
      header.number('2-10', 'line'),
      header.required('11-20', originator, originatorId),
      header.required('21-24', creationNumber, fileCreationNumber),
      header.constant('25-25', '0'),
      header.created('26-30', 'YYDDD'),
      header.required('31-35', 'additionalData.dataCentre', dataCentre),
      header.copy('56-58', currencyPath),
      header.constant('59-1464', ''),

      checked(currencyPath, ca.currency),
      detail.constant('1-1', 'C'),
      detail.number('2-10', 'line'),
      detail.copy('11-20', originator),
      detail.copy('21-24', creationNumber),
      detail.required('25-27', 'additionalData.transactionCode', transactionCode),
      detail.required('28-37', amountPath, ca.amount, amount),
      detail.constant('38-38', '0'),
      detail.required('39-43', 'requestedExecutionDateTime', executionDate, { date: 'YYDDD' }),
      detail.required('44-52', 'payments.creditorAgent.identification', ca.agent, nineDigits),
      detail.required('53-64', 'payments.creditorAccount.identification', ca.account),
      detail.constant('65-89', '0'.repeat(25)),
      detail.copy('90-104', 'userIdentification.name', { ...unaccented, truncate: true }),
      detail.required('105-134', 'payments.creditor.name', ca.payeeName, unaccented),
      detail.required(
        '135-164',
        'userIdentification.name',
        frenchText('Name of the user', 'Nom de l’utilisateur', both('Maple Trading', 'Érable Commerce'), 30),
        unaccented,
      ),
      detail.copy('165-174', originator),
      detail.optional('175-193', 'payments.remittanceInformation.reference', ca.reference, unaccented),
      detail.required('194-202', 'debtorAgent.identification', ca.agent, nineDigits),
      detail.required('203-214', 'debtorAccount.identification', ca.account),
      detail.constant('254-264', '0'.repeat(11)),
      detail.constant('265-1464', ''),

      trailer.constant('1-1', 'Z'),
      trailer.number('2-10', 'line'),
      trailer.copy('11-20', originator),
      trailer.copy('21-24', creationNumber),
      trailer.constant('25-46', '0'.repeat(22)),
      trailer.sum('47-60', amountPath),
      trailer.count('61-68', 'payments'),
      // Corrections of credits and debits (records E and F).
      trailer.constant('69-112', '0'.repeat(44)),
      trailer.constant('113-1464', ''),
    ],
  },
];
