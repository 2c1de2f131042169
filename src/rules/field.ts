import type { Rule, Validation } from '#contract/lookup.ts';
import { localDay, todayFor } from './date.ts';
import { formBudget, patternOf, readingInTurn } from './pattern.ts';
import type { Budget } from './regex/walk.ts';
import { distinctOptions } from './distinctOptions.ts';

/** One rule as a form field. Values are strings; booleans are 'true' or 'false'. */
export interface Field {
  /** The rule's jsonPath below the prefix it was taken from, e.g. 'bankIdentifier' or 'debtorAccount.name'. */
  id: string;
  label: string;
  description: string;
  example: string;
  required: boolean;
  kind: 'text' | 'boolean' | 'choice';
  /** For kind 'choice': the rule's enumeration (behaviour, section 5); `search` finds an option besides its label, `blocked` says why it cannot be chosen. */
  options: readonly { value: string; label: string; search?: string; blocked?: string }[];
  regex: string;
  /** Maximum length in characters (code points); no limit if absent. */
  longest?: number;
  /** Leading and trailing blanks are ignored and not sent. */
  trimmed?: true;
  /** Initial number of lines; absent for a single-line field. */
  lines?: number;
  /** The value is masked while it is typed. */
  secret?: true;
  errorMessage: string;
  /** Places of the value in the body: several if rules share a field name (behaviour, section 5: de-duplicated). */
  paths: readonly string[];
  /** Why this field is not checked or not sent: broken regex, unusable path. */
  note?: string;
  /** The language of the rule's texts, if it is known (rules/language.ts). */
  lang?: string;
  /** Whether errorMessage comes from the rule and is in that language. */
  ownMessage?: true;
}

/**
 * A form built from rules. The values below a group's path are sent as a list of one object (behaviour, sections 3 and
 * 5).
 */
export interface Form {
  fields: readonly Field[];
  groups?: readonly string[];
}

export type Values = Readonly<Record<string, string>>;

/** Returns a field's value, '' if absent. Ignores inherited members: a field may be named `constructor`. */
export function valueOf(values: Values, { id }: Field): string {
  const value: unknown = values[id];
  return typeof value === 'string' ? value : '';
}

const batchPrefixes = ['payments.additionalData.', 'additionalData.'];
/** Paths through an object's prototype, and paths with an empty name; a rule with one is shown but never sent. */
const unusable = /(^|\.)(__proto__|constructor|prototype)(\.|$)|(^|\.)(\.|$)/;

/** The part of a rule that forms use: `validation`, or a file format's `sourceValidation` (behaviour, section 3). */
export const validationOf = (rule: Rule): Validation | undefined => rule.validation ?? rule.sourceValidation;

/**
 * Converts a rule to a field. Its errorMessage is the rule's own, or says what is expected. `unread` is the reason why
 * the regex is not compiled, if any.
 */
export function fieldOf(validation: Validation, id: string, unread?: string): Field {
  const { jsonPath, enumeration = [], optionality, fieldType } = validation;
  const label = validation.uiLabel ?? id;
  const regex = unread === undefined ? (validation.regex ?? '') : '';
  const note = unusable.test(jsonPath)
    ? `The path ${jsonPath} of this rule cannot be used; the value is not sent.`
    : (unread ?? (regex && patternOf(regex).note));
  return {
    id,
    label,
    description: validation.description ?? '',
    example: validation.example ?? '',
    required: optionality === 'Required',
    kind: fieldType === 'Boolean' ? 'boolean' : enumeration.length > 0 ? 'choice' : 'text',
    options: distinctOptions(enumeration.map(({ value, description }) => ({ value, label: description || value }))),
    regex,
    errorMessage:
      validation.errorMessage ??
      (validation.example
        ? `${label}: enter a value such as ${validation.example}`
        : `${label} is missing or not valid`),
    paths: unusable.test(jsonPath) ? [] : [jsonPath],
    ...(note ? { note } : {}),
    ...(typeof validation['lang'] === 'string' && {
      lang: validation['lang'],
      ...(validation.errorMessage !== undefined && { ownMessage: true as const }),
    }),
  };
}

const ofApi = (rules: readonly Rule[], apiPath: string): Validation[] =>
  rules.flatMap((rule) => validationOf(rule) ?? []).filter((validation) => validation.apiPath === apiPath);

/** A rule with fieldType Array, visible or hidden, names a group and is not a field (behaviour, section 5). */
const namesGroup = ({ fieldType }: Validation): boolean => fieldType === 'Array';
const isField = (validation: Validation): boolean => !namesGroup(validation) && validation.optionality !== 'Hidden';

/** The groups of a form, by their paths in the body. */
function groupsOf(validations: readonly Validation[], pathOf = ({ jsonPath }: Validation) => jsonPath) {
  const groups = [...new Set(validations.filter(namesGroup).map(pathOf))];
  return groups.length === 0 ? {} : { groups };
}

/**
 * A provider's subscription form: the rules with apiPath Subscriptions, without the prefix additionalData. and without
 * Hidden rules; each rule with fieldType Array names a group (behaviour, section 5).
 */
export function subscriptionForm(rules: readonly Rule[]): Form {
  const prefix = 'additionalData.';
  const below = ({ jsonPath }: Validation) => (jsonPath.startsWith(prefix) ? jsonPath.slice(prefix.length) : jsonPath);
  const own = ofApi(rules, 'Subscriptions');
  const unread = readingInTurn();
  const fields = own
    .filter(isField)
    .map((validation) =>
      fieldOf({ ...validation, jsonPath: below(validation) }, below(validation), unread(validation.regex)),
    );
  return { fields, ...groupsOf(own, below) };
}

/** A provider's debtor or creditor form (behaviour, section 5). */
export function partyForm(rules: readonly Rule[], apiPath: 'DebtorAccounts' | 'Creditors'): Form {
  const own = ofApi(rules, apiPath);
  const unread = readingInTurn();
  return {
    fields: own.filter(isField).map((validation) => fieldOf(validation, validation.jsonPath, unread(validation.regex))),
    ...groupsOf(own),
  };
}

const required = (validations: readonly Validation[]): Validation[] =>
  validations.filter((validation) => isField(validation) && validation.optionality === 'Required');

/** Merges fields with the same name into one with all their paths (behaviour, section 5). */
function withoutRepeats(fields: readonly Field[]): Field[] {
  const byName = new Map<string, Field>();
  for (const field of fields) {
    const first = byName.get(field.id);
    byName.set(field.id, first ? { ...first, paths: [...first.paths, ...field.paths] } : field);
  }
  return [...byName.values()];
}

/**
 * The additional data of a payment: Required rules for BatchPayments below additionalData or payments.additionalData,
 * one field for each name (behaviour, section 5). A file format's rules have no apiPath, since the body is always the
 * batch; for these the form also contains the person who creates the file (userIdentification; wire, section 9).
 */
export function paymentForm(providerRules: readonly Rule[], fileRules: readonly Rule[] = []): Form {
  const ofProvider = ofApi(providerRules, 'BatchPayments');
  const ofFile = fileRules.flatMap((rule) => validationOf(rule) ?? []);
  const fileOnly = new Set(ofFile);
  const unread = readingInTurn();
  const fields = required([...ofProvider, ...ofFile]).flatMap((validation) => {
    const { jsonPath, regex } = validation;
    const prefix = batchPrefixes.find((start) => jsonPath.startsWith(start));
    const asked = prefix ?? (jsonPath.startsWith('userIdentification.') && fileOnly.has(validation) ? '' : undefined);
    return asked === undefined ? [] : fieldOf(validation, jsonPath.slice(asked.length), unread(regex));
  });
  return { fields: withoutRepeats(fields), ...groupsOf([...ofProvider, ...ofFile]) };
}

/** Whether a required checkbox must be ticked, such as terms to accept: its regex matches only 'true'. */
function mustBeTicked({ required, regex }: Field, budget: Budget): boolean {
  const { test } = patternOf(regex);
  return required && regex !== '' && test?.('true', budget) === true && test('false', budget) === false;
}

/**
 * Returns a field's initial value: the only possible choice, `today` for a date, 'true' or 'false' for a checkbox,
 * otherwise ''.
 */
function initialValue(field: Field, today: string, budget: Budget): string {
  if (field.kind === 'boolean') return String(mustBeTicked(field, budget));
  if (!field.required) return '';
  if (field.kind === 'text') return todayFor(field, today, budget);
  const possible = field.options.filter(({ blocked }) => blocked === undefined);
  return possible.length === 1 ? (possible[0]?.value ?? '') : '';
}

/** Returns the initial values of a form. `today` is YYYY-MM-DD, by default the user's local day. */
export function initialValues(form: Form, today = localDay(new Date())): Values {
  const budget = formBudget();
  return Object.fromEntries(form.fields.map((field) => [field.id, initialValue(field, today, budget)]));
}
