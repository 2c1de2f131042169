import { Ajv } from 'ajv';
import type { Rule } from '#contract/lookup.ts';
import { checkForm } from '#rules/check.ts';
import { subscriptionForm, type Values } from '#rules/field.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { median, type Row } from './row.ts';

const fields = 1000;
const checks = 400;

/** So many rules with patterns of the sandbox's providers and an example each takes. */
export function rulesOf(count: number): Rule[] {
  const own = catalogue
    .providersFor()
    .flatMap(({ accountType }) => accountType.validationRules)
    .flatMap(({ validation }) => (validation?.regex && validation.example ? validation : []));
  return Array.from({ length: count }, (_, index) => ({
    ruleId: `rule-${index}`,
    validation: {
      ...own[index % own.length]!, // not empty
      ...{ apiPath: 'Subscriptions', jsonPath: `additionalData.field${index}`, optionality: 'Required' },
      ...{ fieldType: 'Text', enumeration: [] },
    },
  }));
}

/** The same rules for ajv: each value is there, matches, and holds no control character. */
function byAjv(rules: readonly Rule[]) {
  const own = rules.map(({ validation }) => validation!); // as made above
  const names = own.map(({ jsonPath }) => jsonPath.slice('additionalData.'.length));
  const sendable = { pattern: String.raw`^[\t\n\r\P{C}]*$` };
  return new Ajv({ allErrors: true }).compile({
    type: 'object',
    required: names,
    properties: Object.fromEntries(
      own.map(({ regex }, index) => [names[index], { type: 'string', allOf: [{ pattern: regex }, sendable] }]),
    ),
  });
}

/** The values of each turn of all checks, in ms; both sides in turns, as the machine's load changes. */
function timesOf(sides: readonly (() => unknown)[]): number[] {
  const spent = sides.map((): number[] => []);
  for (let turn = 0; turn < checks; turn += 1)
    for (const [index, check] of sides.entries()) {
      const before = performance.now();
      check();
      spent[index]!.push(performance.now() - before); // one for each side
    }
  return spent.map((each) => median(each.slice(checks / 2))); // after the engine has compiled what runs often
}

/** A form of 1,000 fields checked, beside ajv with the same rules. */
export const uses = ['ajv'];

export function* rows(): Generator<Row> {
  const rules = rulesOf(fields);
  const form = subscriptionForm(rules);
  const valid = byAjv(rules);
  const filled = (isWrong: (index: number) => boolean): Values =>
    Object.fromEntries(form.fields.map(({ id, example }, index) => [id, isWrong(index) ? `?${example}?` : example]));
  const row = (what: string, values: Values): Row => {
    valid(values);
    const [found, its] = [checkForm(form, values).length, valid.errors?.length ?? 0];
    if (found !== its) throw new Error(`${what}: ${found} errors, ajv ${its}`);
    const [ours = NaN, reference = NaN] = timesOf([() => checkForm(form, values), () => valid(values)]);
    return {
      what,
      unit: 'ms',
      ours,
      reference: { what: 'ajv', value: reference },
      aim: { most: 2, mostPart: 1 },
    };
  };
  yield row(
    `${fields} fields checked, all right`,
    filled(() => false),
  );
  yield row(
    `${fields} fields checked, half of them wrong`,
    filled((index) => index % 2 === 1),
  );
}
