import type { Form } from '#rules/field.ts';
import { formChart } from '../form.chart.ts';
import { textField } from '../form.ts';
import { account } from './journeys.ts';

const form: Form = {
  fields: [textField('externalId', 'External id', 'Your own id of the account', 'account-0001')],
};

export const accountMachine = formChart<{ accountId: string }>({
  id: account.id,
  requires: account.requires,
  another: 'account',
  form,
});
