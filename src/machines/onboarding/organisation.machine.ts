import { ownForm } from '#rules/forms.ts';
import { formChart } from '../form.chart.ts';
import { organisation } from './journeys.ts';

export const organisationMachine = formChart<{ organisationId: string }>({
  id: organisation.id,
  requires: organisation.requires,
  another: 'organisation',
  form: ownForm(organisation.id),
  submit: 'Create organisation',
});
