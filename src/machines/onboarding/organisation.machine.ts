import { ownForm } from '#rules/forms.ts';
import { formMachine } from './formMachine.ts';
import { organisation } from './journeys.ts';

export const organisationMachine = formMachine<{ organisationId: string }>({
  id: organisation.id,
  requires: organisation.requires,
  another: 'organisation',
  form: ownForm(organisation.id),
  submit: 'Create organisation',
});
