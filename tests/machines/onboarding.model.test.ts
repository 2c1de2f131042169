import { describe, expect, it } from 'vitest';
import {
  accountMachine,
  companyMachine,
  datasetMachine,
  organisationMachine,
} from '#machines/onboarding/forms.machine.ts';
import { formErrors } from '#machines/lib/form.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';

// Each of these records exists already: the forms create further ones.
const input = { facts: factsAfter('account') };
const forms = {
  organisation: live(organisationMachine, { input }),
  company: live(companyMachine, { input }),
  account: live(accountMachine, { input }),
  dataset: live(datasetMachine, { input }),
};

/** What is wrong with one field of a form when only it is filled in. */
function errorOf(journey: keyof typeof forms, field: string, value: string): string | undefined {
  const { form, values } = forms[journey].actor.getSnapshot().context;
  const errors = formErrors({ form, errors: [], values: { ...values, [field]: value } });
  return errors.find(({ id }) => id === field)?.message;
}

const long = (length: number) => 'x'.repeat(length);

describe('behaviour, section 5: the onboarding forms', () => {
  it('have the specified labels and descriptions', () => {
    const told = Object.entries(forms).map(([journey, { actor }]) => [
      journey,
      actor.getSnapshot().context.form.fields.map(({ label, description }) => `${label}: ${description}`),
    ]);
    expect(Object.fromEntries(told)).toEqual({
      organisation: [
        'Sage CRM id: Customer or product serial number',
        'Primary country: A 3-letter country code',
        'Admin e-mail: A working mail box',
        'Default language: A 2-letter language code',
      ],
      company: [
        'Name: At most 100 characters',
        'External id: Your own id of the company, at most 36 characters',
        'Tax number: At most 50 characters',
        'Standard industrial code: At most 50 characters',
        'Contact telephone number: At most 50 characters',
        'Contact e-mail: A working mail box',
      ],
      account: ['External id: Your own id of the account'],
      dataset: [
        'Name: Name of the data set',
        'Country: A 2-letter country code',
        'External id: Your own id of the data set',
        'External source: The product that the data set comes from',
      ],
    });
  });

  it.each([
    ['organisation', 'primaryCountry', 'GBR', 'GB'],
    ['organisation', 'adminEmail', 'admin@example.com', 'admin@example'],
    ['organisation', 'adminEmail', 'admin@example.com', 'ad min@example.com'],
    ['organisation', 'defaultLanguage', 'EN', 'ENG'],
    ['company', 'name', long(100), long(101)],
    ['company', 'externalId', long(36), long(37)],
    ['company', 'taxNumber', long(50), long(51)],
    ['company', 'standardIndustrialCode', long(50), long(51)],
    ['company', 'contactTelNo', long(50), long(51)],
    ['company', 'contactEmail', 'accounts@example.com', '@example.com'],
    ['dataset', 'country', 'GB', 'gb'],
  ] as const)('of %s accept for %s what the rule allows, and nothing else', (journey, field, right, wrong) => {
    expect(errorOf(journey, field, right)).toBeUndefined();
    expect(errorOf(journey, field, wrong)).toMatch(/: enter .+, such as /);
  });
});
