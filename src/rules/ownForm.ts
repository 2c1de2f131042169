import { fieldsOf, messageOf, type FormName, type OwnField, type OwnValues } from '#contract/forms.ts';
import { entered } from '#contract/text.ts';
import type { Field, Values } from './field.ts';
import { fieldErrorOf, type FieldError } from './fieldError.ts';

/** The console's own forms for what every page loads: without the engine that runs the patterns of providers. */

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

export const ownFields = (name: FormName): Field[] => fieldsOf(name).map(([id, own]) => fieldOf(id, own));

/** The values of an own form, trimmed; '' for an absent one. */
export const ownBody = <Name extends FormName>(name: Name, values: Values): OwnValues<Name> =>
  Object.fromEntries(
    fieldsOf(name).map(([id]) => [id, (Object.hasOwn(values, id) && entered(values[id] ?? '')) || '']),
  ) as OwnValues<Name>; // made from exactly its fields

/** The errors of an own form, as `checkForm` finds them. */
export const ownErrors = (name: FormName, values: Values): FieldError[] =>
  ownFields(name).flatMap((field) => {
    const pattern = new RegExp(field.regex, 'u');
    const typed = Object.hasOwn(values, field.id) ? (values[field.id] ?? '') : '';
    return fieldErrorOf(field, typed, (value) => pattern.test(value)) ?? [];
  });
