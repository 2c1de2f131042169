import { ownForm } from '#rules/forms.ts';
import { formMachine } from './formMachine.ts';
import { dataset } from './journeys.ts';

export const datasetMachine = formMachine<{ dataSetId: string }>({
  id: dataset.id,
  requires: dataset.requires,
  creates: 'dataset',
  form: ownForm(dataset.id),
  submit: 'Create data set',
});
