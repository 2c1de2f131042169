import type { FileFormat, Provider, Rule, Validation } from '#contract/lookup.ts';
import type { Fault } from '#contract/controlShapes.ts';
import type { Catalogue } from '../catalogue/types.ts';
import type { Faults } from './faults.ts';
import type { InjectedFault } from '../records/call.ts';
import { namedFault } from './magicValues.ts';

type DefinitionFault = Fault<'definition'>;
type Changed = (rules: readonly Rule[]) => Rule[];

const validationOf = ({ validation, sourceValidation }: Rule): Validation | undefined => validation ?? sourceValidation;

/** Returns a rule with a changed validation. */
function revised(rule: Rule, change: Record<string, unknown>): Rule {
  const member = rule.validation ? 'validation' : 'sourceValidation';
  return { ...rule, [member]: { ...validationOf(rule), ...change } };
}

/** Returns a function that changes the first matching rule, or the one with the given id. */
const changing =
  (ruleId: string, fits: (validation: Validation) => boolean, change: (rule: Rule) => Rule[]): Changed =>
  (rules) => {
    const isMeant = (rule: Rule) => {
      const validation = validationOf(rule);
      return validation !== undefined && (ruleId === '' ? fits(validation) : rule.ruleId === ruleId);
    };
    const meant = rules.find(isMeant);
    return rules.flatMap((rule) => (rule === meant ? change(rule) : [rule]));
  };

function changeOf(fault: DefinitionFault, member: 'validation' | 'sourceValidation'): Changed {
  switch (fault.kind) {
    case 'ruleAdded': {
      const { path: jsonPath, apiPath } = fault;
      const validation = {
        ...(member === 'validation' && { apiPath }),
        jsonPath,
        optionality: 'Required',
        fieldType: 'String',
        example: 'Added',
        uiLabel: 'Added by the lab',
        description: '',
        errorMessage: 'Enter what the lab has added',
      };
      return (rules) => [...rules, { ruleId: 'added-by-the-lab', [member]: validation }];
    }
    case 'ruleDropped':
      return changing(
        fault.rule,
        () => true,
        () => [],
      );
    case 'ruleRequired':
      return changing(
        fault.rule,
        ({ optionality = '' }) => !['Required', 'Hidden'].includes(optionality),
        (rule) => [revised(rule, { optionality: 'Required' })],
      );
    case 'ruleRegex':
      return changing(
        fault.rule,
        ({ regex }) => regex !== undefined,
        (rule) => [revised(rule, { regex: fault.regex })],
      );
    case 'nullText':
      return changing(
        fault.rule,
        () => true,
        (rule) => [revised(rule, { uiLabel: null, errorMessage: null })],
      );
    case 'unknownOptionality':
      return changing(
        fault.rule,
        () => true,
        (rule) => [revised(rule, { optionality: 'Sometimes' })],
      );
    case 'languageGone':
    case 'capabilityDropped':
    case 'otherCountry':
      return (rules) => [...rules];
  }
}

const without = (all: string[] | undefined, removed: readonly string[]) =>
  all?.filter((each) => !removed.includes(each));

/** Applies faults to the parts of a provider other than its rules. */
function describedAnew(definition: Provider, faults: readonly DefinitionFault[]): Provider {
  const isMeant = (providerId: string) => ['', definition.providerId].includes(providerId);
  return faults.reduce((provider, fault) => {
    if (fault.kind === 'otherCountry' && isMeant(fault.provider)) return { ...provider, country: [fault.country] };
    if (fault.kind !== 'capabilityDropped' || !isMeant(fault.provider)) return provider;
    const { accountType } = provider;
    const capabilities = without(accountType.capabilities, [fault.capability]) ?? [];
    return { ...provider, accountType: { ...accountType, capabilities } };
  }, definition);
}

type ChangesOf = (of: 'provider' | 'fileFormat') => DefinitionFault[];

/**
 * Returns the catalogue with the lab's faults applied to its definitions, for callers and for the sandbox's own checks.
 */
export const catalogueWithFaults = (catalogue: Catalogue, faults: Pick<Faults, 'lasting'>): Catalogue =>
  changedBy(catalogue, (of) => faults.lasting('definition', of).map(({ fault }) => fault));

/** Returns the catalogue for a company of this name, and the fault that the name causes, if any. */
export function catalogueForCompany(
  catalogue: Catalogue,
  name = '',
): { catalogue: Catalogue; injected?: InjectedFault } {
  const magic = namedFault('definition', [name]);
  return magic ? { catalogue: changedBy(catalogue, () => [magic.fault]), injected: magic.injected } : { catalogue };
}

function changedBy(catalogue: Catalogue, changes: ChangesOf): Catalogue {
  const goneOf = (of: 'provider' | 'fileFormat') =>
    changes(of).flatMap((fault) => (fault.kind === 'languageGone' ? [fault.language] : []));
  const isGone = (of: 'provider' | 'fileFormat', language?: string) => goneOf(of).includes(language ?? '');

  function provider(definition: Provider): Provider {
    const faultsOf = changes('provider');
    if (faultsOf.length === 0) return definition;
    const described = describedAnew(definition, faultsOf);
    const { validationRules } = described.accountType;
    const rules = faultsOf.reduce((all, fault) => changeOf(fault, 'validation')(all), validationRules);
    const supportedLanguages = without(definition.supportedLanguages, goneOf('provider'));
    return {
      ...described,
      accountType: { ...described.accountType, validationRules: rules },
      ...(supportedLanguages && { supportedLanguages }),
    };
  }

  function fileFormat(definition: FileFormat): FileFormat {
    const faultsOf = changes('fileFormat');
    if (faultsOf.length === 0) return definition;
    const rules = faultsOf.reduce(
      (all, fault) => changeOf(fault, 'sourceValidation')(all),
      definition.specification.rules,
    );
    const supportedLanguages = without(definition.supportedLanguages, goneOf('fileFormat'));
    return {
      ...definition,
      specification: { ...definition.specification, rules },
      ...(supportedLanguages && { supportedLanguages }),
    };
  }

  return {
    ...catalogue,
    providersFor: (country, language) =>
      isGone('provider', language) ? [] : catalogue.providersFor(country, language).map(provider),
    providerById(providerId, language) {
      const found = isGone('provider', language) ? undefined : catalogue.providerById(providerId, language);
      return found && provider(found);
    },
    fileFormatsFor: (country, language) =>
      isGone('fileFormat', language) ? [] : catalogue.fileFormatsFor(country, language).map(fileFormat),
    fileFormatById(fileFormatId, language) {
      const found = catalogue.fileFormatById(fileFormatId, language);
      return found && fileFormat(found);
    },
  };
}
