import { ownForm } from '#rules/forms.ts';
import { ungatedFormMachine } from './formMachine.ts';
import { organisation } from './journeys.ts';

export const organisationMachine = ungatedFormMachine<{ organisationId: string }>({
  id: organisation.id,
  creates: 'organisation',
  form: ownForm(organisation.id),
  submit: 'Create organisation',
});
