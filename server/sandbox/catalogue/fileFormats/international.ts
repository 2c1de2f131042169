import { executionDatePattern } from '#contract/executionDate.ts';
import type { FileFormatDefinition, RuleDefinition, Text, Wording } from '../definition.ts';
import { accentedText, amountInAnyCurrency } from '../wording/country.ts';
import { amount, amountPath, currencyPath, record } from './record.ts';

const header = record('Header');
const operation = record('Detail', 1);
const bank = record('Detail', 2);
const trailer = record('Trailer');

/** A text in the four languages of this format. */
const said = (french: string, english: string, german: string, spanish: string): Text => ({
  'fr-FR': french,
  en: english,
  'de-DE': german,
  'es-ES': spanish,
});

type Label = [french: string, english: string, german: string, spanish: string];

const text = (label: Label, example: Text, most: number): Wording => {
  const [french, english, german, spanish] = label;
  return {
    uiLabel: said(...label),
    description: said(
      `Au plus ${most} lettres, chiffres et signes usuels`,
      `At most ${most} letters, digits and punctuation`,
      `Höchstens ${most} Buchstaben, Ziffern und übliche Zeichen`,
      `Como máximo ${most} letras, cifras y signos habituales`,
    ),
    example,
    regex: accentedText(most),
    errorMessage: said(
      `${french} : saisissez au plus ${most} lettres, chiffres et signes usuels`,
      `${english}: enter at most ${most} letters, digits and punctuation`,
      `${german}: Geben Sie höchstens ${most} Buchstaben, Ziffern und übliche Zeichen ein`,
      `${spanish}: introduzca como máximo ${most} letras, cifras y signos habituales`,
    ),
  };
};

const coded = (label: Label, example: string, regex: string): Wording => {
  const [french, english, german, spanish] = label;
  return {
    uiLabel: said(...label),
    description: said(`Tel que ${example}`, `Such as ${example}`, `Zum Beispiel ${example}`, `Por ejemplo ${example}`),
    example,
    regex,
    errorMessage: said(
      `${french} : saisissez une valeur telle que ${example}`,
      `${english}: enter a value such as ${example}`,
      `${german}: Geben Sie einen Wert wie ${example} ein`,
      `${spanish}: introduzca un valor como ${example}`,
    ),
  };
};

const account = coded(
  ['IBAN ou numéro de compte', 'IBAN or account number', 'IBAN oder Kontonummer', 'IBAN o número de cuenta'],
  'FR7630006000011234567890189',
  '^[A-Z0-9]{5,34}$',
);
const agent = coded(
  ['BIC ou code de la banque', 'BIC or bank code', 'BIC oder Bankleitzahl', 'BIC o código del banco'],
  'AAAAFRPPXXX',
  '^[A-Z0-9]{5,11}$',
);
const unaccented = { format: 'unaccented' } as const;
const cut = { ...unaccented, truncate: true } as const;

const rules: readonly RuleDefinition[] = [
  header.constant('1-4', '03PI'),
  header.number('5-10', 'line'),
  header.created('11-18', 'YYYYMMDD'),
  header.required(
    '19-53',
    'userIdentification.name',
    text(
      ['Nom de l’utilisateur', 'Name of the user', 'Name des Nutzers', 'Nombre del usuario'],
      said('Société du Verger', 'Orchard Company', 'Obsthof Gesellschaft', 'Compañía del Huerto'),
      35,
    ),
    unaccented,
  ),
  header.required('54-87', 'debtorAccount.identification', account),
  header.required('88-98', 'debtorAgent.identification', agent),
  header.required('99-101', currencyPath, coded(['Devise', 'Currency', 'Währung', 'Moneda'], 'EUR', '^[A-Z]{3}$')),
  header.required(
    '102-109',
    'requestedExecutionDateTime',
    coded(
      ['Date d’exécution', 'Execution date', 'Ausführungsdatum', 'Fecha de ejecución'],
      '2026-01-31T00:00:00Z',
      executionDatePattern,
    ),
    { date: 'YYYYMMDD' },
  ),
  header.required(
    '110-125',
    'additionalData.remittanceNumber',
    coded(
      ['Numéro de remise', 'Remittance number', 'Nummer der Einreichung', 'Número de remesa'],
      'REMISE0001',
      '^[A-Z0-9]{1,16}$',
    ),
  ),
  header.constant('126-320', ''),

  operation.constant('1-4', '04PI'),
  operation.number('5-10', 'line'),
  operation.required('11-44', 'payments.creditorAccount.identification', account),
  operation.required(
    '45-79',
    'payments.creditor.name',
    text(
      ['Nom du bénéficiaire', 'Payee name', 'Name des Empfängers', 'Nombre del beneficiario'],
      said('Papeterie des Érables', 'Maple Stationers', 'Ahorn Papierwaren', 'Papelería del Arce'),
      35,
    ),
    unaccented,
  ),
  operation.optional(
    '80-114',
    'payments.creditor.postalAddress.addressLine1',
    text(
      ['Adresse', 'Address', 'Adresse', 'Dirección'],
      said('1, rue du Verger', '1 Orchard Lane', 'Obstweg 1', 'Calle del Huerto, 1'),
      100,
    ),
    cut,
  ),
  operation.optional(
    '115-149',
    'payments.creditor.postalAddress.addressLine3',
    text(
      ['Ville', 'City', 'Ort', 'Ciudad'],
      said('Val-des-Pommes', 'Applewick', 'Apfeltal', 'Valle de las Manzanas'),
      100,
    ),
    cut,
  ),
  operation.optional(
    '150-151',
    'payments.creditor.postalAddress.countryCode',
    coded(['Pays', 'Country', 'Land', 'País'], 'FR', '^[A-Z]{2}$'),
  ),
  operation.optional(
    '152-167',
    'payments.remittanceInformation.reference',
    text(['Référence', 'Reference', 'Referenz', 'Referencia'], 'INV-1001', 16),
    unaccented,
  ),
  operation.required(
    '168-181',
    amountPath,
    coded(['Montant', 'Amount', 'Betrag', 'Importe'], '120.50', amountInAnyCurrency),
    amount,
  ),
  operation.copy('182-184', currencyPath),
  operation.constant('185-320', ''),

  bank.constant('1-4', '05PI'),
  bank.number('5-10', 'line'),
  bank.required('11-21', 'payments.creditorAgent.identification', agent),
  bank.optional(
    '22-161',
    'payments.remittanceInformation.unstructured',
    text(
      ['Motif du paiement', 'Reason for the payment', 'Verwendungszweck', 'Concepto del pago'],
      said('Facture de janvier', 'January invoice', 'Rechnung Januar', 'Factura de enero'),
      240,
    ),
    cut,
  ),
  bank.constant('162-320', ''),

  trailer.constant('1-4', '08PI'),
  trailer.number('5-10', 'line'),
  trailer.created('11-18', 'YYYYMMDD'),
  trailer.sum('19-32', amountPath),
  trailer.count('33-38', 'payments'),
  trailer.constant('39-320', ''),
];

const name = said(
  'Virements internationaux, 320 colonnes',
  'International transfers, 320 columns',
  'Auslandsüberweisungen, 320 Spalten',
  'Transferencias internacionales, 320 columnas',
);
const abroad = { name, languages: ['de-DE', 'es-ES'], rules } as const;

/**
 * International transfers, 320 columns: two lines per payment; the currency is in the file. Outside France they are
 * offered in the languages that only the bank files page offers (behaviour, section 9).
 */
export const internationalFileFormats: readonly FileFormatDefinition[] = [
  {
    fileFormatId: 'a09508fe-5b1c-4c70-af04-4bec6d38f007',
    country: 'FR',
    name,
    languages: ['fr-FR', 'en', 'de-DE', 'es-ES'],
    rules,
  },
  { ...abroad, fileFormatId: 'b1a61900-6c2d-4d81-8015-5cfd7e49f008', country: 'AU' },
  { ...abroad, fileFormatId: 'c2b72a11-7d3e-4e92-9126-6d0e8f5af009', country: 'ZA' },
  { ...abroad, fileFormatId: 'd3c83b22-8e4f-4fa3-a237-7e1f906bf010', country: 'GB' },
];
