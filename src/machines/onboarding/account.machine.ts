import { ownForm } from '#rules/forms.ts';
import { formMachine } from './formMachine.ts';
import { account } from './journeys.ts';

export const accountMachine = formMachine<{ accountId: string }>({
  id: account.id,
  requires: account.requires,
  creates: 'account',
  form: ownForm(account.id),
  submit: 'Create account',
});
