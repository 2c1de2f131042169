import { fieldsOf, messageOf, type FormName, type OwnField, type OwnValues } from '#contract/forms.ts';
import type { ParsedBody } from '#contract/shapes.ts';
import { entered } from '#contract/text.ts';
import type { Field, Form, Values } from './field.ts';
import { trust } from './pattern.ts';

const fieldOf = (id: string, own: OwnField): Field => ({
  id,
  label: own.label,
  description: own.hint,
  example: own.example,
  required: !own.optional,
  kind: 'text',
  options: [],
  regex: own.pattern,
  longest: own.longest,
  trimmed: true,
  errorMessage: `${own.label}: ${messageOf(own)}`,
  paths: [id],
  ...(own.secret && { secret: true }),
});

/** Converts one of the console's own forms (contract/forms.ts). */
export function ownForm(name: FormName): Form {
  const fields = fieldsOf(name);
  for (const [, { pattern }] of fields) trust(pattern);
  return { fields: fields.map(([id, own]) => fieldOf(id, own)) };
}

/** The values of an own form, trimmed; '' for an absent one. */
export const ownBody = <Name extends FormName>(name: Name, values: Values): OwnValues<Name> =>
  Object.fromEntries(
    fieldsOf(name).map(([id]) => [id, (Object.hasOwn(values, id) && entered(values[id] ?? '')) || '']),
  ) as OwnValues<Name>; // made from exactly its fields

/** The system that creates the account: this console. */
const externalSource = 'payments-out-console';

/** The body that creates an account for a user (behaviour, section 3: account create body); `locale` may be ''. */
export const accountBody = (
  values: Values,
  { email, sub: identityId }: { email: string; sub: string },
  locale: string,
): ParsedBody<'createAccount'> => ({
  data: {
    type: 'Account',
    attributes: { ...ownBody('account', values), externalSource },
    owner: { user: { email, locale: locale || 'en', identityId } },
  },
});

export const datasetBody = (values: Values): ParsedBody<'createDataset'> => ({
  data: { type: 'DataSet', attributes: ownBody('dataset', values) },
});
