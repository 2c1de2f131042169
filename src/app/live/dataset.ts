import type { Body } from '#contract/shapes.ts';
import { datasetMachine } from '#machines/dataset.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import type { Values } from '#rules/field.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { loadFactsOf, texts } from './ports.ts';

export const machine = datasetMachine.provide({
  actors: {
    loadFacts: loadFactsOf('dataset'),
    submit: fulfil(port<Values, { dataSetId: string }>('submit'), async (values, signal) => {
      const attributes = texts(values, 'name', 'country', 'externalId', 'externalSource');
      const body: Body<'createDataset'> = { data: { type: 'DataSet', attributes } };
      const answer = await once('createDataset', body, (key) => call('createDataset', { body, key, signal }));
      return { dataSetId: answer.data.data.id };
    }),
  },
});
