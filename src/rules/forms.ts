import type { FormName } from '#contract/forms.ts';
import type { ParsedBody } from '#contract/shapes.ts';
import type { Form, Values } from './field.ts';
import { ownBody, ownFields } from './ownForm.ts';
import { trust } from './pattern.ts';

/** Converts one of the console's own forms (contract/forms.ts). */
export function ownForm(name: FormName): Form {
  const fields = ownFields(name);
  for (const { regex } of fields) trust(regex);
  return { fields };
}

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
