import type { Behaviour } from './types.ts';

/** A text in each language declared by its definition, or one text for all. */
export type Text = string | Readonly<Record<string, string>>;

/** The part of a rule that describes a value, whatever the resource; texts are in all languages. */
export interface Wording {
  uiLabel: Text;
  description?: Text;
  example?: Text;
  regex?: string;
  errorMessage?: Text;
  fieldType?: 'Boolean' | 'Array';
  enumeration?: readonly { value: string; description: Text }[];
}

export type Optionality = 'Required' | 'Optional' | 'Hidden';

export interface ValidationDefinition extends Wording {
  apiPath?: string;
  jsonPath: string;
  optionality: Optionality;
}

/** A rule with texts in all languages; members without texts (destination, content) are served unchanged. */
export interface RuleDefinition {
  ruleId: string;
  validation?: ValidationDefinition;
  sourceValidation?: ValidationDefinition;
  [layout: string]: unknown;
}

interface Definition {
  /** Languages of its texts, the default one first. */
  languages: readonly [string, ...string[]];
  rules: readonly RuleDefinition[];
}

export interface ProviderDefinition extends Definition {
  providerId: string;
  name: string;
  country: string;
  capabilities: readonly Capability[];
  behaviour: Behaviour;
  /** Ids of the provider's payment types; the first is the default. */
  localInstruments: readonly [string, ...string[]];
  maximumPaymentCount: number;
}

export interface InstrumentDefinition extends Definition {
  localInstrumentId: string;
  name: string;
}

export interface FileFormatDefinition extends Definition {
  fileFormatId: string;
  name: Text;
  country: string;
  /** For files made of blocks: `fill` is the character of the lines that complete the last block. */
  block?: { lines: number; fill: string };
}

export type Capability =
  'SubscriptionRequired' | 'IFramePermitted' | 'DebtorAccountRequired' | 'DebtorQueries' | 'CreditorQueries';

export const everyCapability: readonly Capability[] = [
  'SubscriptionRequired',
  'IFramePermitted',
  'DebtorAccountRequired',
  'DebtorQueries',
  'CreditorQueries',
];

type ApiPath = 'Subscriptions' | 'DebtorAccounts' | 'Creditors' | 'BatchPayments';

/** Constructors for the rules of one resource; a rule's id is composed of its apiPath and jsonPath. */
function rulesFor(apiPath: ApiPath) {
  const rule =
    (optionality: Optionality) =>
    (jsonPath: string, wording: Wording): RuleDefinition => ({
      ruleId: [apiPath, ...jsonPath.split('.')].join('-'),
      validation: { apiPath, jsonPath, optionality, ...wording },
    });
  return { required: rule('Required'), optional: rule('Optional'), hidden: rule('Hidden') };
}

export const subscription = rulesFor('Subscriptions');
export const debtor = rulesFor('DebtorAccounts');
export const creditor = rulesFor('Creditors');
export const batch = rulesFor('BatchPayments');
