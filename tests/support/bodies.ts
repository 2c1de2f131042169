import { fieldsOf, type FormName, type OwnValues } from '#contract/forms.ts';

/** The values of one of the console's own forms, filled in with its examples. */
export const filled = <Name extends FormName>(name: Name, changes: Partial<OwnValues<Name>> = {}): OwnValues<Name> => ({
  ...(Object.fromEntries(fieldsOf(name).map(([id, { example }]) => [id, example || 'x'])) as OwnValues<Name>), // made from its fields
  ...changes,
});

/** The same values by label, as a user types them. */
export const typed = (name: FormName): Record<string, string> =>
  Object.fromEntries(fieldsOf(name).map(([, { label, example }]) => [label, example]));

/** Valid bodies of the console's write calls. */
export const organisationBody = filled('organisation');
export const companyBody = (name: string) => filled('company', { name, externalId: name.slice(0, 3) });
