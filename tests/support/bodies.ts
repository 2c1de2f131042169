import { fieldsOf, type FormName, type OwnValues } from '#contract/forms.ts';

/** One of the console's own forms, filled in with its examples. */
export const filled = <Name extends FormName>(name: Name, changes: Partial<OwnValues<Name>> = {}): OwnValues<Name> => ({
  ...(Object.fromEntries(fieldsOf(name).map(([id, { example }]) => [id, example || 'x'])) as OwnValues<Name>), // made from its fields
  ...changes,
});

/** The same by label, as somebody types it. */
export const typed = (name: FormName): Record<string, string> =>
  Object.fromEntries(fieldsOf(name).map(([, { label, example }]) => [label, example]));

/** Bodies of writes that the console takes. */
export const organisationBody = filled('organisation');
export const companyBody = (name: string) => filled('company', { name, externalId: name.slice(0, 3) });
