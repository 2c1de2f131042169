import { ownForm } from '#rules/forms.ts';
import { formChart } from '../form.chart.ts';
import { dataset } from './journeys.ts';

export const datasetMachine = formChart<{ dataSetId: string }>({
  id: dataset.id,
  requires: dataset.requires,
  another: 'dataset',
  form: ownForm(dataset.id),
  submit: 'Create data set',
});
