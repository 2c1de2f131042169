import { ownForm } from '#rules/forms.ts';
import { formChart } from '../form.chart.ts';
import { account } from './journeys.ts';

export const accountMachine = formChart<{ accountId: string }>({
  id: account.id,
  requires: account.requires,
  another: 'account',
  form: ownForm(account.id),
  submit: 'Create account',
});
