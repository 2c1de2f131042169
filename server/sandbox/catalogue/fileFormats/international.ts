import { executionDatePattern } from '#contract/executionDate.ts';
import type { FileFormatDefinition, RuleDefinition, Text, Wording } from '../definition.ts';
import { accentedText, amountInAnyCurrency } from '../wording/country.ts';
import { amount, amountPath, currencyPath, record } from './record.ts';

const header = record('Header');
const operation = record('Detail', 1);
const bank = record('Detail', 2);
const reason = record('Detail', 3);
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

const siren: Label = ['Numéro SIRET', 'SIRET number', 'SIRET-Nummer', 'Número SIRET'];
const address: Label = ['Adresse', 'Address', 'Adresse', 'Dirección'];
const exampleLine = said('1, rue du Verger', '1 Orchard Lane', 'Obstweg 1', 'Calle del Huerto, 1');
const remittance = 'additionalData.remittanceNumber';
const [userAccount, payeeAccount] = [
  'debtorAccount.identification',
  'payments.creditorAccount.identification',
] as const;
const accountKind = { format: 'accountKind' } as const;

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
  header.optional('54-158', 'additionalData.address', text(address, exampleLine, 105), unaccented),
  header.optional('159-172', 'additionalData.siret', coded(siren, '12345678900012', String.raw`^\d{14}$`)),
  header.required(
    '173-188',
    remittance,
    coded(
      ['Numéro de remise', 'Remittance number', 'Nummer der Einreichung', 'Número de remesa'],
      'REMISE0001',
      '^[A-Z0-9]{1,16}$',
    ),
  ),
  header.required('189-199', 'debtorAgent.identification', agent),
  header.copy('200-200', userAccount, accountKind),
  header.required('201-234', userAccount, account),
  // Of the account; the batch names only that of the payments.
  header.copy('235-237', currencyPath),
  // One date and one currency for all orders.
  header.constant('309-309', '1'),
  header.required(
    '310-317',
    'requestedExecutionDateTime',
    coded(
      ['Date d’exécution', 'Execution date', 'Ausführungsdatum', 'Fecha de ejecución'],
      '2026-01-31T00:00:00Z',
      executionDatePattern,
    ),
    { date: 'YYYYMMDD' },
  ),
  header.required('318-320', currencyPath, coded(['Devise', 'Currency', 'Währung', 'Moneda'], 'EUR', '^[A-Z]{3}$')),

  operation.constant('1-4', '04PI'),
  operation.number('5-10', 'line'),
  operation.copy('11-11', payeeAccount, accountKind),
  operation.required('12-45', payeeAccount, account),
  operation.required(
    '46-80',
    'payments.creditor.name',
    text(
      ['Nom du bénéficiaire', 'Payee name', 'Name des Empfängers', 'Nombre del beneficiario'],
      said('Papeterie des Érables', 'Maple Stationers', 'Ahorn Papierwaren', 'Papelería del Arce'),
      35,
    ),
    unaccented,
  ),
  // Three lines of 35.
  operation.optional('81-115', 'payments.creditor.postalAddress.addressLine1', text(address, exampleLine, 100), cut),
  operation.optional(
    '116-150',
    'payments.creditor.postalAddress.addressLine3',
    text(
      ['Ville', 'City', 'Ort', 'Ciudad'],
      said('Val-des-Pommes', 'Applewick', 'Apfeltal', 'Valle de las Manzanas'),
      100,
    ),
    cut,
  ),
  operation.optional(
    '203-204',
    'payments.creditor.postalAddress.countryCode',
    coded(['Pays', 'Country', 'Land', 'País'], 'FR', '^[A-Z]{2}$'),
  ),
  operation.optional(
    '205-220',
    'payments.remittanceInformation.reference',
    text(['Référence', 'Reference', 'Referenz', 'Referencia'], 'INV-1001', 16),
    unaccented,
  ),
  operation.constant('221-221', 'D'),
  operation.required(
    '226-239',
    amountPath,
    coded(['Montant', 'Amount', 'Betrag', 'Importe'], '120.50', amountInAnyCurrency),
    amount,
  ),
  operation.copy('240-240', currencyPath, { format: 'decimals' }),
  operation.optional(
    '242-244',
    'payments.additionalData.economicCode',
    coded(['Code économique', 'Economic code', 'Wirtschaftscode', 'Código económico'], '010', String.raw`^\d{3}$`),
  ),
  operation.constant('247-247', '0'),
  operation.required('248-249', 'additionalData.charges', {
    uiLabel: said('Frais', 'Charges', 'Entgelte', 'Gastos'),
    description: said('Qui paie les frais', 'Who pays the charges', 'Wer die Entgelte zahlt', 'Quién paga los gastos'),
    example: '14',
    errorMessage: said(
      'Frais : choisissez qui les paie',
      'Charges: choose who pays them',
      'Entgelte: Wählen Sie, wer sie zahlt',
      'Gastos: elija quién los paga',
    ),
    enumeration: [
      {
        value: '14',
        description: said('14 Partagés (SHA)', '14 Shared (SHA)', '14 Geteilt (SHA)', '14 Compartidos (SHA)'),
      },
      {
        value: '15',
        description: said('15 Émetteur (OUR)', '15 Payer (OUR)', '15 Auftraggeber (OUR)', '15 Ordenante (OUR)'),
      },
      {
        value: '13',
        description: said('13 Bénéficiaire (BEN)', '13 Payee (BEN)', '13 Empfänger (BEN)', '13 Beneficiario (BEN)'),
      },
    ],
  }),
  operation.constant('250-320', ''),

  bank.constant('1-4', '05PI'),
  bank.number('5-10', 'line'),
  bank.required('151-161', 'payments.creditorAgent.identification', agent),
  bank.copy('162-163', 'payments.creditor.postalAddress.countryCode'),
  bank.constant('164-320', ''),

  reason.constant('1-4', '07PI'),
  reason.number('5-10', 'line'),
  reason.optional(
    '11-150',
    'payments.remittanceInformation.unstructured',
    text(
      ['Motif du paiement', 'Reason for the payment', 'Verwendungszweck', 'Concepto del pago'],
      said('Facture de janvier', 'January invoice', 'Rechnung Januar', 'Factura de enero'),
      240,
    ),
    cut,
  ),
  reason.constant('151-320', ''),

  trailer.constant('1-4', '08PI'),
  trailer.number('5-10', 'line'),
  trailer.created('11-18', 'YYYYMMDD'),
  trailer.copy('159-172', 'additionalData.siret'),
  trailer.copy('173-188', remittance),
  trailer.copy('200-200', userAccount, accountKind),
  trailer.copy('201-234', userAccount),
  trailer.copy('235-237', currencyPath),
  trailer.sum('254-271', amountPath),
  trailer.constant('272-320', ''),
];

const name = said(
  'Virements internationaux, 320 colonnes',
  'International transfers, 320 columns',
  'Auslandsüberweisungen, 320 Spalten',
  'Transferencias internacionales, 320 columnas',
);
const abroad = { name, languages: ['de-DE', 'es-ES'], rules } as const;

/**
 * International transfers, 320 columns (AFB320): records 04, 05 and 07 for each payment; the currency is in the file. Outside
 * France they are offered in the languages that only the bank files page offers (behaviour, section 9).
 *
 * Columns: CFONB, Remises informatisées d'ordres de paiement international au format 320 c. (V4), as two public writers
 * have them; IBM, CFONB320_PI record types. The brochure was not seen. Not confirmed: kind 2 for an account without an IBAN
 * (200; 11 of record 04), qualifier D (221), a debit type (308, blank), the payee's country as that of its bank (162-163 of
 * record 05), and whether the economic code (242-244) may be blank. Both writers repeat the account in record 08.
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
