import { describe, expect, it } from 'vitest';
import { accountMachine } from '#machines/onboarding/account.machine.ts';
import { companyMachine } from '#machines/onboarding/company.machine.ts';
import { datasetMachine } from '#machines/onboarding/dataset.machine.ts';
import { journeyAt, journeyOf, journeyOrder } from '#machines/journeys.ts';
import { organisationMachine } from '#machines/onboarding/organisation.machine.ts';
import type { FormState } from '#machines/lib/form.ts';
import { translatedFields } from '#rules/translation.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';

/** Routes, groups and labels of the specification's section 2, copied by hand; a group's own label where it has none. */
const routes: [path: string, group: string | undefined, label: string | undefined][] = [
  ['/settings', 'Misc', 'Settings'],
  ['/consumerhealth', 'Misc', 'ConsumerAPI Health'],
  ['/messaginghealth', 'Misc', 'MessagingAPI Health'],
  ['/translation', 'Misc', 'Translations'],
  ['/createorganisation', 'Org/Comp', undefined],
  ['/createcompany', 'Org/Comp', undefined],
  ['/getaccesstoken', 'Org/Comp', undefined],
  ['/getnetworkaccesstoken', 'Acct/DataSet', 'Get User Token'],
  ['/createaccount', 'Acct/DataSet', undefined],
  ['/createdataset', 'Acct/DataSet', undefined],
  ['/onboardingsubscription', 'Subscriptions', 'Create with OnBoarding'],
  ['/openbankingsubscription', 'Subscriptions', 'Create with OpenBanking'],
  ['/subscriptionlist', 'Subscriptions', 'List'],
  ['/additionaldata', undefined, undefined],
  ['/bankfiles', 'Rules', 'Bank Files'],
  ['/providers', 'Rules', 'Providers'],
  ['/debtors', 'Debtors/Creditors', 'Create Debtor'],
  ['/debtorsquery', 'Debtors/Creditors', 'Debtor Query'],
  ['/creditors', 'Debtors/Creditors', 'Create Creditor'],
  ['/creditorsquery', 'Debtors/Creditors', 'Creditor Query'],
  ['/electronicpayments', 'Payments', undefined],
  ['/filepayments', 'Payments', undefined],
  ['/getbatch', 'Payments', 'Get Batch'],
  ['/paymentlist', 'Payments', 'List Payments'],
  ['/etransfer', 'Payments', 'eTransfer Funding'],
];

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

async function formOf(machine: (typeof forms)[number]['machine']) {
  const { actor, send } = live(machine, { input: { facts: everything } });
  await send({ type: 'another.create' });
  return (actor.getSnapshot().context as FormState).form; // what every form's chart holds
}

describe('behaviour, section 2: screens and routes', () => {
  it('the journeys’ paths are exactly the specified routes, without the home page’s (behaviour 2.1)', () => {
    expect(journeyOrder.map((id) => journeyOf(id).path).sort()).toEqual(routes.map(([path]) => path).sort());
  });

  it.each(routes)('%s is in the menu group %s under its label', (path, group, label) => {
    const id = journeyAt(path);
    const journey = id && journeyOf(id);
    expect(journey?.group).toBe(group);
    expect(journey?.title).toBe(label ?? journey?.title);
    expect(journey?.title).not.toBe('');
  });

  it.each(forms)('the form at $path has the specified fields (behaviour 2.2)', async ({ machine, fields }) => {
    expect((await formOf(machine)).fields.map(({ id }) => id)).toEqual(fields);
  });

  it('/createorganisation describes a 3-letter country code and a 2-letter language code (behaviour 2.3)', async () => {
    const { fields } = await formOf(organisationMachine);
    expect(fields.find(({ id }) => id === 'primaryCountry')?.description).toContain('3-letter country code');
    expect(fields.find(({ id }) => id === 'defaultLanguage')?.description).toContain('2-letter language code');
  });

  it('/translation offers four texts of a rule', () => {
    expect(translatedFields).toEqual(['uiLabel', 'description', 'errorMessage', 'example']);
  });
});
