import type { Rule, Validation } from '#contract/lookup.ts';
import { localDay, todayFor } from './date.ts';
import { patternOf, readingInTurn, runningInTurn } from './pattern.ts';

/** What a form shows for one rule, and what is checked about its value. Values are strings; booleans 'true'/'false'. */
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
  /** Characters at most, as `length` counts them; no limit if absent. */
  longest?: number;
  /** Blanks around the value do not count, and are not sent. */
  trimmed?: true;
  /** Not shown while it is typed. */
  secret?: true;
  errorMessage: string;
  /** Where in the body the value goes: several when rules share a field name (behaviour, section 5: de-duplicated). */
  paths: readonly string[];
  /** Why this field is not checked or not sent, if so: broken regex, unusable path. */
  note?: string;
  /** The language of the rule's texts, if it is known (rules/language.ts). */
  lang?: string;
  /** The errorMessage is the rule's own, in that language. */
  ownMessage?: true;
}

/** A form made from rules; what lies below the path of a group becomes a list of one (behaviour, sections 3 and 5). */
export interface Form {
  fields: readonly Field[];
  groups?: readonly string[];
}

export type Values = Readonly<Record<string, string>>;

/** A field's value, '' if absent; a field may be called like a member that every object inherits. */
export const valueOf = (values: Values, { id }: Field): string => (Object.hasOwn(values, id) && values[id]) || '';

const batchPrefixes = ['payments.additionalData.', 'additionalData.'];
/** Paths through an object's prototype are not data; a rule that names one is shown but never sent. */
const unusable = /(^|\.)(__proto__|constructor|prototype)(\.|$)|(^|\.)(\.|$)/;

/** The part of a rule that forms use: `validation`, or a file format's `sourceValidation` (behaviour, section 3). */
export const validationOf = (rule: Rule): Validation | undefined => rule.validation ?? rule.sourceValidation;

/**
 * The field that a rule asks for; its errorMessage is the rule's own, or says what would be right. `unread` says why its
 * regex is not even read, if so.
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

/** One field for each name; the paths of rules that share a name are gathered in it (behaviour, section 5). */
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

/** Whether a required box has to be ticked, as for terms that must be accepted: its regex takes nothing but 'true'. */
function mustBeTicked({ required, regex }: Field): boolean {
  const { test } = patternOf(regex);
  return required && regex !== '' && test?.('true') === true && !test('false');
}

/**
 * A field's value before anybody has chosen one: where only one is possible it is that, a date is `today`, else
 * unticked or empty. `runs` false leaves out its regex, and with it what only the regex could say.
 */
function initialValue(field: Field, today: string, runs: boolean): string {
  if (field.kind === 'boolean') return String(runs && mustBeTicked(field));
  if (!field.required) return '';
  if (field.kind === 'text') return runs ? todayFor(field, today) : '';
  const possible = field.options.filter(({ blocked }) => blocked === undefined);
  return possible.length === 1 ? (possible[0]?.value ?? '') : '';
}

/** What a form starts with; `today` is a YYYY-MM-DD text, by default the user's own day. */
export function initialValues(form: Form, today = localDay(new Date())): Values {
  const affords = runningInTurn();
  return Object.fromEntries(
    form.fields.map((field) => {
      const runs = !field.required || field.kind === 'choice' || affords(field.regex, today);
      return [field.id, initialValue(field, today, runs)];
    }),
  );
}
