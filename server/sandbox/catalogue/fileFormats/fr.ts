import type { FileFormatDefinition, Text, Wording } from '../definition.ts';
import { accentedText, positiveAmount } from '../wording/country.ts';
import { dateTime } from './english.ts';
import { amount, amountPath, currencyPath, record } from './record.ts';

const header = record('Header');
const operation = record('Detail', 1);
const bank = record('Detail', 2);
const trailer = record('Trailer');

const both = (french: string, english: string): Text => ({ 'fr-FR': french, en: english });

const text = (french: string, english: string, example: Text, most: number): Wording => ({
  uiLabel: both(french, english),
  description: both(
    `Au plus ${most} lettres, chiffres et signes usuels`,
    `At most ${most} letters, digits and common signs`,
  ),
  example,
  regex: accentedText(most),
  errorMessage: both(
    `${french} : saisissez au plus ${most} lettres, chiffres et signes usuels`,
    `${english}: enter at most ${most} letters, digits and common signs`,
  ),
});

const coded = (french: string, english: string, example: string, regex: string): Wording => ({
  uiLabel: both(french, english),
  description: both(`Tel que ${example}`, `Such as ${example}`),
  example,
  regex,
  errorMessage: both(
    `${french} : saisissez une valeur telle que ${example}`,
    `${english}: enter a value such as ${example}`,
  ),
});

const account = coded(
  'IBAN ou numéro de compte',
  'IBAN or account number',
  'FR7612345678901234567890123',
  '^[A-Z0-9]{5,34}$',
);
const agent = coded('BIC ou code de la banque', 'BIC or bank code', 'AAAAFRPPXXX', '^[A-Z0-9]{5,11}$');
const unaccented = { format: 'unaccented' } as const;
const cut = { ...unaccented, truncate: true } as const;

/** International transfers, 320 columns: two lines per payment; the currency is in the file. */
export const frFileFormats: readonly FileFormatDefinition[] = [
  {
    fileFormatId: 'a09508fe-5b1c-4c70-af04-4bec6d38f007',
    name: both('Virements internationaux, 320 colonnes', 'International transfers, 320 columns'),
    country: 'FR',
    languages: ['fr-FR', 'en'],
    rules: [
      header.constant('1-4', '03PI'),
      header.number('5-10', 'line'),
      header.created('11-18', 'YYYYMMDD'),
      header.required(
        '19-53',
        'userIdentification.name',
        text('Nom de l’utilisateur', 'Name of the user', both('Société du Verger', 'Orchard Company'), 35),
        unaccented,
      ),
      header.required('54-87', 'debtorAccount.identification', account),
      header.required('88-98', 'debtorAgent.identification', agent),
      header.required('99-101', currencyPath, coded('Devise', 'Currency', 'EUR', '^[A-Z]{3}$')),
      header.required(
        '102-109',
        'requestedExecutionDateTime',
        coded('Date d’exécution', 'Execution date', '2026-01-31T00:00:00Z', dateTime),
        { date: 'YYYYMMDD' },
      ),
      header.required(
        '110-125',
        'additionalData.remittanceNumber',
        coded('Numéro de remise', 'Remittance number', 'REMISE0001', '^[A-Z0-9]{1,16}$'),
      ),
      header.constant('126-320', ''),

      operation.constant('1-4', '04PI'),
      operation.number('5-10', 'line'),
      operation.required('11-44', 'payments.creditorAccount.identification', account),
      operation.required(
        '45-79',
        'payments.creditor.name',
        text('Nom du bénéficiaire', 'Payee name', both('Papeterie des Érables', 'Maple Stationers'), 35),
        unaccented,
      ),
      operation.optional(
        '80-114',
        'payments.creditor.postalAddress.addressLine1',
        text('Adresse', 'Address', both('1, rue du Verger', '1 Orchard Lane'), 100),
        cut,
      ),
      operation.optional(
        '115-149',
        'payments.creditor.postalAddress.addressLine3',
        text('Ville', 'City', both('Val-des-Pommes', 'Applewick'), 100),
        cut,
      ),
      operation.optional(
        '150-151',
        'payments.creditor.postalAddress.countryCode',
        coded('Pays', 'Country', 'FR', '^[A-Z]{2}$'),
      ),
      operation.optional(
        '152-167',
        'payments.remittanceInformation.reference',
        text('Référence', 'Reference', 'INV-1001', 16),
        unaccented,
      ),
      operation.required('168-181', amountPath, coded('Montant', 'Amount', '120.50', positiveAmount), amount),
      operation.copy('182-184', currencyPath),
      operation.constant('185-320', ''),

      bank.constant('1-4', '05PI'),
      bank.number('5-10', 'line'),
      bank.required('11-21', 'payments.creditorAgent.identification', agent),
      bank.optional(
        '22-161',
        'payments.remittanceInformation.unstructured',
        text('Motif du paiement', 'Reason for the payment', both('Facture de janvier', 'January invoice'), 240),
        cut,
      ),
      bank.constant('162-320', ''),

      trailer.constant('1-4', '08PI'),
      trailer.number('5-10', 'line'),
      trailer.created('11-18', 'YYYYMMDD'),
      trailer.sum('19-32', amountPath),
      trailer.count('33-38', 'payments'),
      trailer.constant('39-320', ''),
    ],
  },
];
