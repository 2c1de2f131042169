import type { Form } from '#rules/field.ts';
import { formChart } from '../form.chart.ts';
import { textField } from '../form.ts';
import { dataset } from './journeys.ts';

const form: Form = {
  fields: [
    textField('name', 'Name', 'What the data set is called', 'Purchase ledger'),
    textField('country', 'Country', 'A 2-letter country code', 'GB', '^[A-Z]{2}$'),
    textField('externalId', 'External id', 'Your own id of the data set', 'dataset-0001'),
    textField('externalSource', 'External source', 'The product that the data set comes from', 'example-ledger'),
  ],
};

export const datasetMachine = formChart<{ dataSetId: string }>({
  id: dataset.id,
  requires: dataset.requires,
  another: 'dataset',
  form,
});
