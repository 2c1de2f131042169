import { isObject, stringify } from '#contract/json.ts';
import type { Rule } from '#contract/lookup.ts';
import { validationOf } from './field.ts';

/** A changed attribute of a rule; an absent value is ''. */
interface Change {
  attribute: string;
  before: string;
  after: string;
}

/** The difference of a rule between two sets; `changes` is empty for an added or dropped rule. */
export interface RuleDifference {
  kind: 'added' | 'dropped' | 'changed';
  ruleId: string;
  label: string;
  /** Where the rule applies: the API path, and the path of its value. */
  place: string;
  changes: readonly Change[];
}

/** Deeper members are compared as part of their parent. */
const deepest = 4;

/** The attributes of a rule as texts by path; a list is one text, an enumeration one with its values. */
function attributesOf(value: unknown, path = '', depth = 0): [string, string][] {
  if (isObject(value) && depth < deepest)
    return Object.entries(value).flatMap(([name, member]) =>
      attributesOf(member, path === '' ? name : `${path}.${name}`, depth + 1),
    );
  const options = path === 'enumeration' && Array.isArray(value) ? value.map(optionText) : undefined;
  return [[path, options?.join('; ') ?? (typeof value === 'string' ? value : stringify(value))]]; // read as JSON
}

const optionText = (option: unknown): string =>
  isObject(option)
    ? [option['value'], option['description']]
        .filter((part) => part !== undefined && part !== '')
        .map(String)
        .join(' ')
    : String(option);

/** A rule's attributes without its id, those of its validation first. */
function flat({ ruleId: _, validation, sourceValidation, ...rest }: Rule): ReadonlyMap<string, string> {
  const own = { ...validation, ...sourceValidation };
  // The language of the texts was chosen by the user; it is not an attribute of the rule.
  const { lang: __, ...attributes } = own as Record<string, unknown>; // rules may have any member
  return new Map([...attributesOf(attributes), ...attributesOf(rest)]);
}

const placeOf = (rule: Rule): string => {
  const validation = validationOf(rule);
  const column = rule.destination?.destination;
  return [validation?.apiPath, validation?.jsonPath ?? [rule.type, column].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(' ');
};

/** Rules by key; a running number distinguishes rules with equal keys. */
function byKey(rules: readonly Rule[], keyOf: (rule: Rule) => string): Map<string, Rule> {
  const found = new Map<string, Rule>();
  const times = new Map<string, number>();
  for (const rule of rules) {
    const key = keyOf(rule);
    const time = (times.get(key) ?? 0) + 1;
    times.set(key, time);
    found.set(`${key} ${time}`, rule);
  }
  return found;
}

const named = (rule: Rule) => ({
  ruleId: rule.ruleId,
  label: validationOf(rule)?.uiLabel ?? rule.ruleId,
  place: placeOf(rule),
});

function changesOf(before: Rule, after: Rule): Change[] {
  const [one, other] = [flat(before), flat(after)];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((attribute) => {
    const change = { attribute, before: one.get(attribute) ?? '', after: other.get(attribute) ?? '' };
    return change.before === change.after ? [] : [change];
  });
}

/**
 * Returns the differences between two sets of rules, in the order of the second set, dropped rules last. `same`: the
 * sets belong to the same provider or format, and rules are matched by id; otherwise they are matched by where they
 * apply, because ids of different providers are unrelated.
 */
export function compareRules(before: readonly Rule[], after: readonly Rule[], same: boolean): RuleDifference[] {
  const keyOf = same ? ({ ruleId }: Rule) => ruleId : placeOf;
  const [old, now] = [byKey(before, keyOf), byKey(after, keyOf)];
  const differences = [...now].flatMap(([key, rule]): RuleDifference[] => {
    const was = old.get(key);
    if (!was) return [{ kind: 'added', ...named(rule), changes: [] }];
    const changes = changesOf(was, rule);
    return changes.length > 0 ? [{ kind: 'changed', ...named(rule), changes }] : [];
  });
  const dropped = [...old].filter(([key]) => !now.has(key));
  return [...differences, ...dropped.map(([, rule]) => ({ kind: 'dropped' as const, ...named(rule), changes: [] }))];
}
