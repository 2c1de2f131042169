/**
 * The console's own forms, those not described by a provider's rules, declared once. The page's fields and request
 * bodies (rules/forms.ts) and the shapes checked by the server (shapes.ts) are derived from them. Needs no schema
 * library, so that the page can load it.
 */

/** One field. Its value is a text without leading or trailing blanks. */
export interface OwnField {
  label: string;
  /** The text shown beside the field. */
  hint: string;
  example: string;
  /** A regular expression that the whole value must match. */
  pattern: string;
  /** Maximum number of characters (code points). */
  longest: number;
  /** The value expected, for error messages. */
  wanted: string;
  /** May be left empty; any other field is required (behaviour, section 5). */
  optional?: true;
  /** The value is hidden while it is typed. */
  secret?: true;
}

type Check = Pick<OwnField, 'pattern' | 'longest' | 'wanted'>;

/** One line. Where the service documents no limit, the console sets a high one. */
const line = (longest = 1000): Check => ({
  pattern: '^.+$',
  longest,
  wanted: `a value of at most ${longest} characters`,
});
/** One line of a documented length, which is given in the hint. */
const limited = (longest: number, hint = '') => ({
  ...line(longest),
  hint: `${hint ? `${hint}, at` : 'At'} most ${longest} characters`,
});
const letters = (letter: string, length: number, wanted: string): Check => ({
  pattern: `^${letter}{${length}}$`,
  longest: length,
  wanted,
});
/** Deliberately loose, because the service decides which addresses it accepts. */
const email: Check = {
  pattern: '^[^\\s@"]{1,64}@[^\\s@".]+(\\.[^\\s@".]+)+$',
  longest: 255,
  wanted: 'an e-mail address',
};
/** An id that is sent in a header. */
const inHeader: Check = {
  pattern: '^[\\x21-\\x7e]+$',
  longest: 1000,
  wanted: 'letters, digits and punctuation without spaces',
};

/**
 * The fields of each form, in order; lengths and codes are those documented by the service (wire, sections 2 and 15).
 */
export const ownForms = {
  organisation: {
    sageCRMId: {
      label: 'Sage CRM id',
      hint: 'Customer or product serial number',
      example: 'CRM-000123',
      ...line(),
    },
    primaryCountry: {
      label: 'Primary country',
      hint: 'A 3-letter country code',
      example: 'GBR',
      ...letters('[A-Z]', 3, 'a 3-letter country code'),
    },
    adminEmail: { label: 'Admin e-mail', hint: 'A working mail box', example: 'admin@example.com', ...email },
    defaultLanguage: {
      label: 'Default language',
      hint: 'A 2-letter language code',
      example: 'EN',
      ...letters('[A-Za-z]', 2, 'a 2-letter language code'),
    },
  },
  company: {
    name: { label: 'Name', example: 'Example Trading Ltd', ...limited(100) },
    externalId: { label: 'External id', example: 'company-0001', ...limited(36, 'Your own id of the company') },
    taxNumber: { label: 'Tax number', example: 'GB123456789', ...limited(50) },
    standardIndustrialCode: { label: 'Standard industrial code', example: '62012', ...limited(50) },
    contactTelNo: { label: 'Contact telephone number', example: '+44 20 7946 0000', ...limited(50) },
    contactEmail: { label: 'Contact e-mail', hint: 'A working mail box', example: 'accounts@example.com', ...email },
  },
  account: {
    externalId: { label: 'External id', hint: 'Your own id of the account', example: 'account-0001', ...line() },
  },
  dataset: {
    name: { label: 'Name', hint: 'Name of the data set', example: 'Purchase ledger', ...line() },
    country: {
      label: 'Country',
      hint: 'A 2-letter country code',
      example: 'GB',
      ...letters('[A-Z]', 2, 'a 2-letter country code'),
    },
    externalId: { label: 'External id', hint: 'Your own id of the data set', example: 'dataset-0001', ...line() },
    externalSource: {
      label: 'External source',
      hint: 'The product that the data set comes from',
      example: 'example-ledger',
      ...line(),
    },
  },
  /** An existing organisation, with its company if it has one. */
  existing: {
    organisationId: {
      label: 'Organisation id',
      hint: '',
      example: '0b9d3f5e-4c1a-4c55-9f0e-2a6f5d1c7b11',
      ...inHeader,
    },
    companyId: {
      label: 'Company id',
      hint: 'Leave it empty if the organisation has no company yet',
      example: '5a1e7c1d-8f63-4b0c-b6a4-93d0c2f1e8a7',
      optional: true,
      ...inHeader,
    },
    signingKey: {
      label: 'Signing key',
      hint: 'It is stored only if the service issues a token for it',
      example: '',
      secret: true,
      ...line(),
    },
  },
} as const satisfies Record<string, Record<string, OwnField>>;

export type FormName = keyof typeof ownForms;
/** A form's values by field name. */
export type OwnValues<Name extends FormName> = Record<keyof (typeof ownForms)[Name], string>;

/** The fields of a form, by name. */
export const fieldsOf = (name: FormName): [id: string, field: OwnField][] => Object.entries(ownForms[name]);

/** The error message of a field, e.g. 'enter a 3-letter country code, such as GBR'. */
export const messageOf = ({ wanted, example }: OwnField): string =>
  `enter ${wanted}${example && `, such as ${example}`}`;
