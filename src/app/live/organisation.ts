import { organisationMachine } from '#machines/organisation.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import type { Values } from '#rules/field.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { loadFactsOf, texts } from './ports.ts';

export const machine = organisationMachine.provide({
  actors: {
    loadFacts: loadFactsOf('organisation'),
    submit: fulfil(port<Values, { organisationId: string }>('submit'), (values, signal) => {
      const body = texts(values, 'sageCRMId', 'primaryCountry', 'adminEmail', 'defaultLanguage');
      return once('createOrganisation', body, (key) => call('createOrganisation', { body, key, signal }));
    }),
  },
});
