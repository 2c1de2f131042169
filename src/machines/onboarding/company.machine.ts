import { ownForm } from '#rules/forms.ts';
import { formChart } from '../form.chart.ts';
import { company } from './journeys.ts';

export const companyMachine = formChart<{ companyId: string }>({
  id: company.id,
  requires: company.requires,
  another: 'company',
  form: ownForm(company.id),
  submit: 'Create company',
});
