import type { BankList, FileFormat, Provider, Rule } from '#contract/lookup.ts';
import type { BatchRequest } from '#contract/payment.ts';
import type { BatchViolation, ViolationCode } from '#rules/violation.ts';

/**
 * How a provider decides about a new subscription: the user decides on its authorise page (`asks`), or the provider
 * decides alone.
 */
export type Behaviour = 'asks' | 'rejects' | 'pends' | 'authorises';

/** A violation of a rule by a body; `path` is the rule's jsonPath. */
export interface Violation {
  path: string;
  message: string;
  code: ViolationCode;
  ruleId: string;
}

export interface LocalInstrument {
  localInstrumentId: string;
  name: string;
  validationRules: Rule[];
}

/** The definitions served by the sandbox, and the checks derived from them. */
export interface Catalogue {
  /**
   * Returns the providers with texts in the language; '' or undefined selects each provider's default. Omits providers
   * that do not support the language.
   */
  providersFor(country?: string, language?: string): Provider[];
  providerById(providerId: string, language?: string): Provider | undefined;
  behaviourOf(providerId: string): Behaviour;
  localInstruments(language?: string): LocalInstrument[];
  fileFormatsFor(country?: string, language?: string): FileFormat[];
  fileFormatById(fileFormatId: string, language?: string): FileFormat | undefined;
  banks: BankList;
  /** `key` is {entityId}{entityType}.{ruleId}.{field} (wire, section 15). */
  translation(key: string, language: string): string | undefined;
  /**
   * Returns the rules of the provider and of its local instruments; the provider's take precedence (wire, section 8).
   */
  rulesOf(provider: Provider, apiPath: string): Rule[];
  violations(rules: readonly Rule[], body: unknown): Violation[];
  batchViolations(
    provider: Provider | undefined,
    fileFormat: FileFormat | undefined,
    batch: BatchRequest,
  ): BatchViolation[];
  /** Returns the violations by totals of a batch that do not fit the file (src/rules/paymentFile/layout.ts). */
  overflows(fileFormat: FileFormat, batch: BatchRequest): BatchViolation[];
  /** Returns the text of the bank payment file, laid out by the format's rules (wire, section 9). */
  writePaymentFile(fileFormat: FileFormat, batch: BatchRequest, createdAt: Date): string;
}
