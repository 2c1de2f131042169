import { companyMachine } from '#machines/company.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import type { Values } from '#rules/field.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { loadFactsOf, texts } from './ports.ts';

const fields = ['name', 'externalId', 'taxNumber', 'standardIndustrialCode', 'contactTelNo', 'contactEmail'] as const;

export const machine = companyMachine.provide({
  actors: {
    loadFacts: loadFactsOf('company'),
    submit: fulfil(port<Values, { companyId: string }>('submit'), (values, signal) => {
      const body = texts(values, ...fields);
      return once('createCompany', body, (key) => call('createCompany', { body, key, signal }));
    }),
  },
});
