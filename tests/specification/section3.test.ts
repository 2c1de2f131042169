import { describe, expect, it } from 'vitest';
import { batchErrorSchema } from '#contract/batch.ts';
import { bankListSchema, fileFormatSchema, providerSchema, ruleSchema, validationSchema } from '#contract/lookup.ts';
import { creditorSchema, debtorSchema } from '#contract/party.ts';
import { batchRequestSchema, invoiceSchema } from '#contract/payment.ts';
import { subscriptionSchema, type SubscriptionRecord } from '#contract/subscription.ts';
import { batchRequest } from '#rules/batch.ts';
import { additionalData } from '#rules/payload.ts';
import { subscriptionForm, validationOf } from '#rules/field.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { rule } from '#tests/rules/support.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { creditor, debtor, invoiceOf } from '#tests/support/fixtures.ts';

const words = (text: string): string[] => text.split(/\s+/);

/** Fields of each entity, copied from the specification by hand; the service may add others. */
const entities = [
  { name: 'Provider', schema: providerSchema, fields: words('providerId name country accountType') },
  {
    name: 'Validation rule',
    schema: validationSchema,
    fields: words('apiPath jsonPath optionality fieldType uiLabel description example regex errorMessage enumeration'),
  },
  { name: 'Rule', schema: ruleSchema, fields: words('ruleId validation sourceValidation') },
  {
    name: 'Subscription',
    schema: subscriptionSchema,
    fields: words('subscriptionId providerId status suspendedByConsumer additionalData'),
  },
  { name: 'File format', schema: fileFormatSchema, fields: words('fileFormatId name specification') },
  {
    name: 'Debtor',
    schema: debtorSchema,
    fields: words(
      'debtorId debtorAccountname debtorAgentidentification debtorAccountidentification currency subscriptionId',
    ),
  },
  {
    name: 'Creditor',
    schema: creditorSchema,
    fields: words(
      `creditorId creditorname creditorAgentidentification creditorAccountidentification
       creditorAccountSecondaryIdentification creditorAddress1 creditorAddress3 creditorCountrySubDivision
       creditorCountryCode creditorPostalCode`,
    ),
  },
  { name: 'Invoice', schema: invoiceSchema, fields: words('creditor description amount') },
  {
    name: 'Batch payment request',
    schema: batchRequestSchema,
    fields: words(
      `externalId subscriptionId debtor fileFormatId requestedExecutionDateTime userIdentification additionalData
       debtorAgent debtorAccount payments`,
    ),
  },
  {
    name: 'Error of a batch',
    schema: batchErrorSchema,
    fields: words('target message code index resourceId sourceId'),
  },
];

const settings = words(
  `subscriptionId providerId providerCountry fileFormatCountry acceptLanguage useMock useNetwork organisationId
   companyId companySigningKey accountId dataSetId userJwt batchId webhookData postedBatches providerUrl subscriptions`,
);

const abilities = words(
  `domestic_payment domestic_scheduled_payment domestic_standing_order domestic_standing_order_installment
   domestic_standing_order_yearly_period international_payment international_scheduled_payment
   international_standing_order bulk_payment vrp sweeping`,
);

/** A console with a company, whose service creates one subscription. */
async function consoleWithCompany() {
  const created = { data: { subscriptionId: 'sub-1', providerId: 'provider-1', status: 'Received' } };
  const service = await fakeUpstream({ [pathOf('createSubscription', 'organisationId')]: answering(created, 201) });
  const server = await testConsole({ upstreamUrl: service.url });
  for (const key of ['organisationId', 'companyId', 'companySigningKey'] as const)
    await server.store.settings.write(key, key);
  return { ...server, service };
}

describe('behaviour, section 3: entities', () => {
  it.each(entities)('$name has the specified fields (behaviour 3.9)', ({ schema, fields }) => {
    expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining(fields));
  });

  it('GET /api/settings returns exactly the 18 specified settings, all as text (behaviour 3.1)', async () => {
    const { done } = await testConsole({ upstreamUrl: (await testSandbox()).url });
    const shown = await done('getSettings');
    expect(Object.keys(shown).sort()).toEqual(settings.sort());
    expect(settings).toHaveLength(18); // as docs/behaviour.md says
    expect(Object.values(shown).filter((value) => typeof value !== 'string')).toEqual([]);
  });

  it('a provider has capabilities and validation rules, and a file format has rules', () => {
    expect(Object.keys(providerSchema.shape.accountType.unwrap().shape)).toEqual(['capabilities', 'validationRules']);
    expect(Object.keys(fileFormatSchema.shape.specification.unwrap().shape)).toEqual(['rules']);
  });

  it('a rule’s validation is read from “validation” or “sourceValidation”', () => {
    expect(validationOf({ ruleId: 'a', validation: { jsonPath: 'a' } })?.jsonPath).toBe('a');
    expect(validationOf({ ruleId: 'b', sourceValidation: { jsonPath: 'b' } })?.jsonPath).toBe('b');
  });

  it('a subscription’s additionalData is a JSON string with nested objects and a one-element group (behaviour 3.10)', () => {
    const form = subscriptionForm([
      rule('Subscriptions', 'additionalData.bank.sortCode'),
      rule('Subscriptions', 'additionalData.signatories', { fieldType: 'Array' }),
      rule('Subscriptions', 'additionalData.signatories.name'),
    ]);
    expect(JSON.parse(additionalData(form, { 'bank.sortCode': '112233', 'signatories.name': 'A' }))).toEqual({
      bank: { sortCode: '112233' },
      signatories: [{ name: 'A' }],
    });
  });

  it.each([
    ['true', { authLink: true }],
    ['false', { authLink: false }],
  ])('a subscription is stored with the specified fields for useMock "%s": %o', async (useMock, { authLink }) => {
    const { done } = await consoleWithCompany();
    expect((await done('getSettings')).subscriptions).toBe('[]');
    await done('setSetting', { body: { key: 'useMock', value: useMock } });
    await done('createSubscription', { body: { data: { providerId: 'provider-1', additionalData: '{}' } } });
    const stored = await done('getSettings');
    expect(stored).toMatchObject({ subscriptionId: 'sub-1', providerId: 'provider-1' });
    expect(JSON.parse(stored.subscriptions) as SubscriptionRecord[]).toEqual([
      {
        subscriptionId: 'sub-1',
        providerId: 'provider-1',
        status: 'Received',
        suspended: false,
        useMock,
        ...(authLink && { authLink: `${stored.providerUrl}provider/subscription/authorise/sub-1` }),
      },
    ]);
  });

  it('GET /api/banks returns the specified sample banks and metadata (behaviour 3.21)', async () => {
    const { done } = await testConsole({ upstreamUrl: (await testSandbox()).url });
    const { data, meta } = await done('getBanks');
    expect(meta).toEqual({ total_count: 9, total_pages: 1, current_page: 1 });
    expect(data).toHaveLength(3);
    expect(data.filter(({ service_status }) => !service_status)).toHaveLength(1);
    for (const bank of data) {
      expect(Object.keys(bank).sort()).toEqual(Object.keys(bankListSchema.shape.data.element.shape).sort());
      expect(Object.keys(bank.abilities)).toEqual(abilities);
      expect(bank).toMatchObject({ is_sandbox: true, standard: 'obie', country_iso_code: 'GB' });
      expect(['Sandbox', 'Personal']).toContain(bank.division);
      const offered = abilities.filter((ability) => bank.abilities[ability]);
      const isNatWest = bank.friendly_name.startsWith('NatWest');
      expect(offered).toEqual(isNatWest ? abilities : ['domestic_payment']);
      expect(bank.refund_supported).toBe(isNatWest);
    }
  });

  it('a payment has exactly the specified fields (behaviour 3.14)', () => {
    const [payment] = batchRequest({
      externalId: 'e',
      subscriptionId: 's',
      debtor,
      invoices: [invoiceOf('invoice-1', '120.50')],
      creditors: [{ ...creditor, creditorAccountSecondaryIdentification: '0001' }],
      extras: { batch: {}, payment: { additionalData: { purpose: 'supplies' } } },
      today: '2026-11-20',
    }).payments;
    expect(Object.keys(payment ?? {})).toEqual(
      words(
        `instructedAmount debtorAgent debtorAccount creditorAgent creditorAccount creditor remittanceInformation
         additionalData`,
      ),
    );
    expect(Object.keys(payment?.creditorAccount ?? {})).toEqual(['identification', 'secondaryIdentification', 'name']);
    expect(Object.keys(payment?.creditor ?? {})).toEqual(['name', 'creditorId', 'postalAddress']);
    expect(Object.keys(payment?.remittanceInformation ?? {})).toEqual(['reference', 'unstructured']);
  });

  it('a payment to a creditor without an address omits the address', () => {
    const unaddressed = { creditorAddress1: '', creditorAddress3: '', creditorCountryCode: '', creditorPostalCode: '' };
    const { payments } = batchRequest({
      externalId: 'e',
      subscriptionId: 's',
      debtor,
      invoices: [invoiceOf('invoice-1', '120.50')],
      creditors: [{ ...creditor, ...unaddressed }],
      extras: { batch: {}, payment: {} },
      today: '2026-11-20',
    });
    expect(payments[0]?.creditor).toEqual({ name: creditor.creditorname, creditorId: creditor.creditorId });
  });
});
