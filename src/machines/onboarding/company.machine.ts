import { ownForm } from '#rules/forms.ts';
import { formMachine } from './formMachine.ts';
import { company } from './journeys.ts';

export const companyMachine = formMachine<{ companyId: string }>({
  id: company.id,
  requires: company.requires,
  creates: 'company',
  form: ownForm(company.id),
  submit: 'Create company',
});
