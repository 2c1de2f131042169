import type { BankList, FileFormat, Provider, Rule } from '#contract/lookup.ts';
import type { BatchRequest } from '#contract/payment.ts';

/** How a provider decides a new subscription: on its authorise page, or by itself. */
export type Behaviour = 'asks' | 'rejects' | 'pends' | 'authorises';

export type ViolationCode = 'Missing' | 'RegexFailure' | 'NotInEnumeration' | 'NotAllowed';

/** One rule broken by a body; `path` is the rule's jsonPath. */
export interface Violation {
  path: string;
  message: string;
  code: ViolationCode;
  ruleId: string;
}

/** One rule broken by a batch; `index` is the payment's position, `sourceId` the rule's id. */
export interface BatchViolation {
  target: string;
  message: string;
  code: ViolationCode;
  index?: number;
  sourceId: string;
}

export interface LocalInstrument {
  localInstrumentId: string;
  name: string;
  validationRules: Rule[];
}

/** The definitions served by the sandbox, and the checks that follow from them. */
export interface Catalogue {
  /** Texts in the language; '' or undefined is each provider's default, an unsupported one filters it out. */
  providersFor(country?: string, language?: string): Provider[];
  providerById(providerId: string, language?: string): Provider | undefined;
  behaviourOf(providerId: string): Behaviour;
  localInstruments(language?: string): LocalInstrument[];
  fileFormatsFor(country?: string, language?: string): FileFormat[];
  fileFormatById(fileFormatId: string): FileFormat | undefined;
  banks: BankList;
  /** Key is {entityId}{entityType}.{ruleId}.{field} (wire, section 15). */
  translation(key: string, language: string): string | undefined;
  /** The provider's rules and those of its local instruments, the provider's win (wire, section 8). */
  rulesOf(provider: Provider, apiPath: string): Rule[];
  violations(rules: readonly Rule[], body: unknown): Violation[];
  batchViolations(
    provider: Provider | undefined,
    fileFormat: FileFormat | undefined,
    batch: BatchRequest,
  ): BatchViolation[];
  /** The bank payment file's text, laid out by the format's own rules (wire, section 9). */
  writePaymentFile(fileFormat: FileFormat, batch: BatchRequest, createdAt: Date): string;
}
