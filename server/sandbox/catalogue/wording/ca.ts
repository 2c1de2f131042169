import type { Text, Wording } from '../definition.ts';
import { accentedText, positiveAmount, type CountryWords } from './country.ts';

export const canadianLanguages = ['en-CA', 'fr-CA'] as const;

/** A text in English and in French. */
export const both = (english: string, french: string): Text => ({ 'en-CA': english, 'fr-CA': french });

/** A text with accents; its description gives the maximum length in characters (`most`). */
export const frenchText = (english: string, french: string, example: Text, most: number): Wording => ({
  uiLabel: both(english, french),
  description: both(
    `At most ${most} letters, digits and punctuation`,
    `Au plus ${most} lettres, chiffres et signes usuels`,
  ),
  example,
  regex: accentedText(most),
  errorMessage: both(
    `${english}: enter at most ${most} letters, digits and punctuation`,
    `${french} : saisissez au plus ${most} lettres, chiffres et signes usuels`,
  ),
});

/** A number; its description gives the length, fixed or as a range, in digits. */
const digits = (english: string, french: string, example: string, length: string, many: [string, string]): Wording => ({
  uiLabel: both(english, french),
  description: both(`${many[0]} digits`, `${many[1]} chiffres`),
  example,
  regex: String.raw`^\d{${length}}$`,
  errorMessage: both(
    `${english}: enter ${many[0].toLowerCase()} digits, such as ${example}`,
    `${french} : saisissez ${many[1].toLowerCase()} chiffres, par exemple ${example}`,
  ),
});

export const institutionNumber = digits('Institution number', 'Numéro d’institution', '999', '3', ['Three', 'Trois']);
export const transitNumber = digits('Transit number', 'Numéro de transit', '12345', '5', ['Five', 'Cinq']);
export const accountNumber = digits('Account number', 'Numéro de compte', '1234567', '7,12', [
  'Seven to twelve',
  'De sept à douze',
]);

export const transactionCode: Wording = {
  uiLabel: both('Transaction code', 'Code d’opération'),
  description: both('What the payments are for', 'L’objet des paiements'),
  example: '460',
  errorMessage: both(
    'Transaction code: choose what the payments are for',
    'Code d’opération : choisissez l’objet des paiements',
  ),
  enumeration: [
    { value: '460', description: both('460 Accounts payable', '460 Comptes fournisseurs') },
    { value: '450', description: both('450 Miscellaneous payments', '450 Paiements divers') },
    { value: '200', description: both('200 Payroll deposit', '200 Dépôt de la paie') },
  ],
};

export const originatorId: Wording = {
  uiLabel: both('Originator number', 'Numéro de l’auteur'),
  description: both(
    'Ten letters or digits, given by your financial institution',
    'Dix lettres ou chiffres, attribués par votre institution financière',
  ),
  example: 'PAYOUT0001',
  regex: '^[A-Z0-9]{10}$',
  errorMessage: both(
    'Originator number: enter ten letters or digits, such as PAYOUT0001',
    'Numéro de l’auteur : saisissez dix lettres ou chiffres, par exemple PAYOUT0001',
  ),
};

export const ca: CountryWords = {
  accountName: frenchText('Account name', 'Nom du compte', both('Trading account', 'Compte courant'), 35),
  agent: {
    uiLabel: both('Institution and transit', 'Institution et transit'),
    description: both(
      'Three digits of the institution, then five of the branch (transit)',
      'Les trois chiffres de l’institution, puis les cinq chiffres du transit (succursale)',
    ),
    example: '99912345',
    regex: String.raw`^\d{8}$`,
    errorMessage: both(
      'Institution and transit: enter eight digits, such as 99912345',
      'Institution et transit : saisissez huit chiffres, par exemple 99912345',
    ),
  },
  account: accountNumber,
  currency: {
    uiLabel: both('Currency', 'Devise'),
    description: both(
      'Currency of the account and of what is paid from it',
      'Devise du compte et des paiements qui en partent',
    ),
    example: 'CAD',
    errorMessage: both('Currency: only CAD is possible here', 'Devise : seul CAD est possible ici'),
    enumeration: [{ value: 'CAD', description: both('Canadian dollar', 'Dollar canadien') }],
  },
  payeeName: frenchText('Payee name', 'Nom du bénéficiaire', both('Maple Office Supply', 'Papeterie Érable'), 30),
  secondaryIdentification: frenchText('Second reference of the account', 'Seconde référence du compte', 'R12345', 18),
  addressLine1: frenchText('Address', 'Adresse', both('1 Orchard Lane', '1, rue du Verger'), 100),
  addressLine3: frenchText('City', 'Ville', both('Appleton', 'Val-des-Pommes'), 100),
  countrySubdivision: frenchText('Province or territory', 'Province ou territoire', both('Manitoba', 'Québec'), 50),
  countryCode: {
    uiLabel: both('Country', 'Pays'),
    description: both('Two capital letters', 'Deux lettres majuscules'),
    example: 'CA',
    regex: '^[A-Z]{2}$',
    errorMessage: both(
      'Country: enter two capital letters, such as CA',
      'Pays : saisissez deux lettres majuscules, par exemple CA',
    ),
  },
  postalCode: {
    uiLabel: both('Postal code', 'Code postal'),
    description: both('Letter and digit in turn', 'Une lettre et un chiffre en alternance'),
    example: 'A1A 1A1',
    regex: String.raw`^[A-Z]\d[A-Z] ?\d[A-Z]\d$`,
    errorMessage: both(
      'Postal code: enter letters and digits in turn, such as A1A 1A1',
      'Code postal : alternez lettres et chiffres, par exemple A1A 1A1',
    ),
  },
  amount: {
    uiLabel: both('Amount', 'Montant'),
    description: both('More than zero, at most two decimals', 'Supérieur à zéro, au plus deux décimales'),
    example: '120.50',
    regex: positiveAmount,
    errorMessage: both(
      'Amount: enter more than zero with at most two decimals, such as 120.50',
      'Montant : saisissez un montant supérieur à zéro, au plus deux décimales, par exemple 120.50',
    ),
  },
  reference: frenchText('Reference', 'Référence', 'INV-1001', 19),
};
