import type { Behaviour } from './types.ts';

/** A text in each language declared by its definition, or one text for all. */
export type Text = string | Readonly<Record<string, string>>;

/** The part of a rule about a value, in any resource; texts in all languages. */
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

/** A rule before its language is chosen; members without texts (destination, content) are served as they are. */
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
  /** Ids; the first is the default. */
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
  /** Files made of blocks are filled up to a whole block with lines of one character. */
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

/** Constructors for the rules of one resource; the rule's id is made of its apiPath and jsonPath. */
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
