import { describe, expect, it } from 'vitest';
import {
  accountMachine,
  companyMachine,
  datasetMachine,
  organisationMachine,
} from '#machines/onboarding/forms.machine.ts';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import type { FormState } from '#machines/lib/form.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { routes } from './routes.ts';

/** The forms that no provider's rules describe, with the fields that the specification gives them. */
const forms = [
  {
    path: '/createorganisation',
    machine: organisationMachine,
    fields: ['sageCRMId', 'primaryCountry', 'adminEmail', 'defaultLanguage'],
  },
  {
    path: '/createcompany',
    machine: companyMachine,
    fields: ['name', 'externalId', 'taxNumber', 'standardIndustrialCode', 'contactTelNo', 'contactEmail'],
  },
  { path: '/createaccount', machine: accountMachine, fields: ['externalId'] },
  { path: '/createdataset', machine: datasetMachine, fields: ['name', 'country', 'externalId', 'externalSource'] },
] as const;

function formOf(machine: (typeof forms)[number]['machine']) {
  const { actor } = live(machine, { input: { facts: everything } });
  return (actor.getSnapshot().context as FormState).form; // what every form's chart holds
}

describe('behaviour, section 2: screens and routes', () => {
  it('the journeys’ paths are exactly the specified routes, without the home page’s (behaviour 2.1)', () => {
    expect(journeyOrder.map((id) => journeyOf(id).path).sort()).toEqual(routes.map(([path]) => path).sort());
  });

  it.each(forms)('the form at $path has the specified fields (behaviour 2.2)', ({ machine, fields }) => {
    expect(formOf(machine).fields.map(({ id }) => id)).toEqual(fields);
  });

  it('/createorganisation describes a 3-letter country code and a 2-letter language code (behaviour 2.3)', () => {
    const { fields } = formOf(organisationMachine);
    expect(fields.find(({ id }) => id === 'primaryCountry')?.description).toContain('3-letter country code');
    expect(fields.find(({ id }) => id === 'defaultLanguage')?.description).toContain('2-letter language code');
  });
});
