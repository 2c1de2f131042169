import { checkField, checkForm } from '#rules/check.ts';
import { subscriptionForm, type Field } from '#rules/field.ts';
import { nested } from '#rules/payload.ts';
import { valuesIn } from '#rules/prefill.ts';
import { few, independent, sorted, type AimFor } from './growthAims.ts';
import { rulesOf } from './rules.ts';
import { spentOn, type Row } from './row.ts';

/** Numbers of rules, measured against `few`; the last one is about the most that an answer of the service may hold (300,000 values). */
const more = [1000, 20_000] as const;

/** CPU time, in ms, of what the page does with so many rules. */
async function costsWith(size: number) {
  const rules = rulesOf(size);
  const form = subscriptionForm(rules);
  const values = Object.fromEntries(form.fields.map(({ id, example }) => [id, example ?? '']));
  const body = nested(form, values);
  const [field] = form.fields as [Field]; // there are rules
  /** Little is done again and again, because the clock counts in µs. */
  const spent = (run: () => unknown, times = Math.ceil(20_000 / size)) => spentOn(times, () => Promise.resolve(run()));
  return new Map<string, { ms: number; aim: AimFor }>([
    ['a form made of its rules', { ms: await spent(() => subscriptionForm(rules)), aim: sorted }],
    ['a form checked for the first time', { ms: await spent(() => checkForm({ ...form }, values)), aim: sorted }],
    ['a form checked again', { ms: await spent(() => checkForm(form, values)), aim: sorted }],
    ['its body made of the values', { ms: await spent(() => nested(form, values)), aim: sorted }],
    ['its values read from a body', { ms: await spent(() => valuesIn(form, body)), aim: sorted }],
    ['one field checked', { ms: await spent(() => checkField(field, values[field.id] ?? ''), 2000), aim: independent }],
  ]);
}

/** What each operation costs with many rules, beside what it costs with few. */
export async function* rowsOfRules(): AsyncGenerator<Row> {
  const reference = await costsWith(few);
  for (const size of more)
    for (const [what, { ms, aim }] of await costsWith(size))
      yield {
        what: `${what}; ${size} rules`,
        unit: 'ms',
        ours: ms,
        reference: { what: `with ${few}`, value: reference.get(what)!.ms }, // the same operations
        aim: aim(size),
      };
}
