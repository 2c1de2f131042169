import type { Rule, Validation } from '#contract/lookup.ts';
import { localDay, todayFor } from './date.ts';
import { patternOf, readingInTurn, runningInTurn } from './pattern.ts';

/** One rule as a form field. Values are strings; booleans are 'true' or 'false'. */
export interface Field {
  /** The rule's jsonPath below the prefix it was taken from, e.g. 'bankIdentifier' or 'debtorAccount.name'. */
  id: string;
  label: string;
  description: string;
  example: string;
  required: boolean;
  kind: 'text' | 'boolean' | 'choice';
  /** For kind 'choice': the rule's enumeration (behaviour, section 5); `blocked` says why an option cannot be chosen. */
  options: readonly { value: string; label: string; blocked?: string }[];
  regex: string;
  /** Maximum length in UTF-16 code units; no limit if absent. */
  longest?: number;
  /** Surrounding blanks are ignored and not sent. */
  trimmed?: true;
  /** The lines that it has at first, if it may have several. */
  lines?: number;
  /** Masked while it is typed. */
  secret?: true;
  errorMessage: string;
  /** Places of the value in the body: several if rules share a field name (behaviour, section 5: de-duplicated). */
  paths: readonly string[];
  /** Reason why this field is not checked or not sent: broken regex, unusable path. */
  note?: string;
  /** The language of the rule's texts, if it is known (rules/language.ts). */
  lang?: string;
  /** The errorMessage is the rule's own, in that language. */
  ownMessage?: true;
}

/** A form made from rules; the values below a group's path are sent as a list of one object (behaviour, sections 3 and 5). */
export interface Form {
  fields: readonly Field[];
  groups?: readonly string[];
}

export type Values = Readonly<Record<string, string>>;

/** Returns a field's value, '' if absent. A field may be named `constructor`; what objects inherit is never a text. */
export function valueOf(values: Values, { id }: Field): string {
  const value: unknown = values[id];
  return typeof value === 'string' ? value : '';
}

const batchPrefixes = ['payments.additionalData.', 'additionalData.'];
/** Paths through an object's prototype; a rule that names one is shown but never sent. */
const unusable = /(^|\.)(__proto__|constructor|prototype)(\.|$)|(^|\.)(\.|$)/;

/** The part of a rule that forms use: `validation`, or a file format's `sourceValidation` (behaviour, section 3). */
export const validationOf = (rule: Rule): Validation | undefined => rule.validation ?? rule.sourceValidation;

/**
 * Makes a field from a rule. Its errorMessage is the rule's own, or says what would be right. `unread` is the reason why
 * the regex is not compiled, if there is one.
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
    options: enumeration.map(({ value, description }) => ({ value, label: description || value })),
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

/** A rule with fieldType Array, shown or hidden, names a group and is no field (behaviour, section 5). */
const namesGroup = ({ fieldType }: Validation): boolean => fieldType === 'Array';
const isField = (validation: Validation): boolean => !namesGroup(validation) && validation.optionality !== 'Hidden';

/** The groups of a form, by their paths in the body. */
function groupsOf(validations: readonly Validation[], pathOf = ({ jsonPath }: Validation) => jsonPath) {
  const groups = [...new Set(validations.filter(namesGroup).map(pathOf))];
  return groups.length === 0 ? {} : { groups };
}

/**
 * The subscription form of a provider: rules with apiPath Subscriptions, prefix additionalData. dropped, Hidden left
 * out; each rule with fieldType Array names a group (behaviour, section 5).
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

/** The debtor or creditor form of a provider (behaviour, section 5). */
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

/** Merges the fields that share a name into one with all their paths (behaviour, section 5). */
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
 * one field for each name (behaviour, section 5). A file format's rules name no apiPath, the body is always the batch, and
 * the person who makes the file (userIdentification) is asked for as well (wire, section 9).
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

/** Returns whether a required box has to be ticked, such as terms to accept: its regex matches only 'true'. */
function mustBeTicked({ required, regex }: Field): boolean {
  const { test } = patternOf(regex);
  return required && regex !== '' && test?.('true') === true && !test('false');
}

/**
 * Returns a field's initial value: the only possible choice, `today` for a date, 'false' for a box, otherwise ''. If `runs`
 * is false, its regex is not run.
 */
function initialValue(field: Field, today: string, runs: boolean): string {
  if (field.kind === 'boolean') return String(runs && mustBeTicked(field));
  if (!field.required) return '';
  if (field.kind === 'text') return runs ? todayFor(field, today) : '';
  const possible = field.options.filter(({ blocked }) => blocked === undefined);
  return possible.length === 1 ? (possible[0]?.value ?? '') : '';
}

/** Returns the initial values of a form. `today` is YYYY-MM-DD, by default the user's local day. */
export function initialValues(form: Form, today = localDay(new Date())): Values {
  const affords = runningInTurn();
  return Object.fromEntries(
    form.fields.map((field) => {
      const runs = !field.required || field.kind === 'choice' || affords(patternOf(field.regex), today);
      return [field.id, initialValue(field, today, runs)];
    }),
  );
}
