import { describe, it, expect } from 'vitest';
import { bankListSchema, fileFormatSchema, providerSchema, type Provider, type Rule } from '#contract/lookup.ts';
import { batchRequestSchema } from '#contract/payment.ts';
import { checkForm } from '#rules/check.ts';
import { partyForm, paymentForm, subscriptionForm, validationOf, type Form } from '#rules/field.ts';
import { patternOf } from '#rules/pattern.ts';
import { additionalData, nested } from '#rules/payload.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { bankFilesPageCountries } from '#contract/constants.ts';
import { exampleBatch } from './exampleBatches.ts';

const languages = ['en', 'en-CA', 'fr-CA', 'fr-FR', 'de-DE', 'es-ES'];
const everyProvider = languages.flatMap((language) => catalogue.providersFor('', language));
const everyFormat = languages.flatMap((language) => catalogue.fileFormatsFor('', language));
const ruleSets: [string, Rule[]][] = [
  ...everyProvider.map((each): [string, Rule[]] => [each.name, each.accountType.validationRules]),
  ...everyFormat.map((each): [string, Rule[]] => [each.name, each.specification.rules]),
  ...languages.flatMap((language) =>
    catalogue.localInstruments(language).map((each): [string, Rule[]] => [each.name, each.validationRules]),
  ),
];

const apiPaths = ['Subscriptions', 'DebtorAccounts', 'Creditors', 'BatchPayments'];
const allRulesOf = (provider: Provider) => apiPaths.flatMap((apiPath) => catalogue.rulesOf(provider, apiPath));
const examples = (form: Form) => Object.fromEntries(form.fields.map(({ id, example }) => [id, example]));

describe('every definition', () => {
  it('has the shape of the protocol (wire 7.1)', () => {
    for (const provider of everyProvider) providerSchema.parse(provider);
    for (const format of everyFormat) fileFormatSchema.parse(format);
    bankListSchema.parse(catalogue.banks);
  });

  it.each(ruleSets)('has a rule id of its own for each rule: %s', (_, rules) => {
    const ids = rules.map(({ ruleId }) => ruleId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => id.includes('.'))).toEqual([]);
  });

  it.each(ruleSets)('explains each rule for an input by a valid example: %s', (_, rules) => {
    for (const rule of rules) {
      const validation = validationOf(rule);
      if (!validation || validation.optionality === 'Hidden') continue;
      expect(validation.uiLabel, rule.ruleId).toBeTruthy();
      expect(validation.description, rule.ruleId).toBeTruthy();
      if (validation.fieldType) continue;
      expect(validation.errorMessage, rule.ruleId).toBeTruthy();
      expect(validation.regex ?? validation.enumeration, rule.ruleId).toBeTruthy();
      expect(validation.example, rule.ruleId).toBeTruthy();
    }
  });

  it.each(ruleSets)('has only patterns that can be run, and that its own example matches: %s', (_, rules) => {
    for (const rule of rules) {
      const { regex, example } = validationOf(rule) ?? {};
      if (!regex) continue;
      expect(patternOf(regex).note, rule.ruleId).toBeUndefined();
      if (example) expect([rule.ruleId, patternOf(regex).test?.(example)]).toEqual([rule.ruleId, true]);
    }
  });
});

describe('forms filled with the examples', () => {
  it.each(everyProvider.map((each): [string, Provider] => [each.name, each]))(
    'are valid for console and sandbox: %s',
    (_, provider) => {
      const rules = allRulesOf(provider);
      const subscription = subscriptionForm(rules);
      const values = examples(subscription);
      expect(checkForm(subscription, values)).toEqual([]);
      const body = { additionalData: JSON.parse(additionalData(subscription, values)) as unknown };
      expect(catalogue.violations(catalogue.rulesOf(provider, 'Subscriptions'), body)).toEqual([]);

      for (const apiPath of ['DebtorAccounts', 'Creditors'] as const) {
        const form = partyForm(rules, apiPath);
        expect(checkForm(form, examples(form))).toEqual([]);
        expect(catalogue.violations(catalogue.rulesOf(provider, apiPath), nested(form, examples(form)))).toEqual([]);
      }

      const payment = paymentForm(rules);
      expect(checkForm(payment, examples(payment))).toEqual([]);
    },
  );

  it.each(everyFormat.map((each) => [each.name, each] as const))('make a batch that fits its file: %s', (_, format) => {
    const batch = exampleBatch(format, [{}, {}]);
    expect(batchRequestSchema.parse(batch).payments).toHaveLength(2);
    expect(catalogue.batchViolations(undefined, format, batch)).toEqual([]);
    const form = paymentForm([], format.specification.rules);
    expect(form.fields.filter(({ id }) => id === 'userIdentification.name')).toHaveLength(1);
    expect(checkForm(form, examples(form))).toEqual([]);
  });
});

describe('the providers together', () => {
  const has = (predicate: (provider: Provider) => boolean) =>
    catalogue
      .providersFor()
      .filter(predicate)
      .map(({ name }) => name);
  const lacks = (capability: string) => has(({ accountType }) => !accountType.capabilities?.includes(capability));

  it('cover every country, gate and outcome (wire 16.1)', () => {
    for (const country of ['GB', 'US', 'CA', 'AU']) expect(catalogue.providersFor(country).length).toBeGreaterThan(0);
    expect(lacks('SubscriptionRequired')).toEqual(['Cobblewick Bank Files (no subscriptions)']);
    expect(lacks('DebtorAccountRequired')).toEqual(['Pippinhay Direct (no debtor accounts)']);
    expect(lacks('IFramePermitted')).toContain('Bluestem ACH Services');
    expect(lacks('DebtorQueries')).toContain('Quillmere Cheques (no queries)');
    expect(lacks('CreditorQueries')).toContain('Quillmere Cheques (no queries)');
    expect(new Set(catalogue.providersFor().map(({ providerId }) => catalogue.behaviourOf(providerId)))).toEqual(
      new Set(['asks', 'rejects', 'pends', 'authorises']),
    );
    expect(() => catalogue.behaviourOf('nobody')).toThrow('There is no provider nobody');
  });

  it('cover Array groups, Hidden and optional rules, enumerations and Booleans', () => {
    const validations = everyProvider
      .flatMap((provider) => allRulesOf(provider))
      .flatMap((rule) => rule.validation ?? []);
    expect(new Set(validations.map(({ fieldType }) => fieldType))).toEqual(new Set([undefined, 'Array', 'Boolean']));
    expect(new Set(validations.map(({ optionality }) => optionality))).toEqual(
      new Set(['Required', 'Optional', 'Hidden']),
    );
    expect(validations.some(({ enumeration }) => (enumeration?.length ?? 0) > 1)).toBe(true);
  });

  it('include a Bacs bureau with few subscription values, and one field name in both places of a batch', () => {
    const bacs = catalogue.providersFor('GB').find(({ name }) => name === 'Larkfield Bacs Bureau');
    const rules = bacs ? allRulesOf(bacs) : [];
    expect(subscriptionForm(rules).fields.filter(({ required }) => required)).toHaveLength(4);
    expect(subscriptionForm(rules).groups).toEqual(['signatories']);
    expect(paymentForm(rules).fields.map(({ id, paths }) => [id, paths.length])).toEqual([
      ['approvalReference', 1],
      ['purpose', 2],
    ]);
  });
});

describe('local instruments', () => {
  it('are those named by the providers', () => {
    const ids = catalogue.localInstruments().map(({ localInstrumentId }) => localInstrumentId);
    for (const { localInstruments = [] } of everyProvider)
      expect(ids).toEqual(expect.arrayContaining(localInstruments));
  });

  it('add their rules to a provider’s: a cheque needs an address, a transfer does not', () => {
    const address = 'creditor.postalAddress.addressLine1';
    const optionality = (name: string) => {
      const provider = catalogue.providersFor('GB').find((each) => each.name === name);
      const rules = provider ? catalogue.rulesOf(provider, 'Creditors') : [];
      return rules.flatMap(({ validation }) => (validation?.jsonPath === address ? [validation.optionality] : []));
    };
    expect(optionality('Quillmere Cheques (no queries)')).toEqual(['Required']);
    expect(optionality('Larkfield Bacs Bureau')).toEqual(['Optional']);
  });
});

describe('the sample banks', () => {
  it('are the specification’s three, in a wrapper that counts nine (wire 17.1)', () => {
    const { data, meta } = catalogue.banks;
    expect(data.map(({ friendly_name }) => friendly_name)).toEqual(['Lloyds Sandbox', 'NatWest Sandbox', 'Mock Bank']);
    expect(meta).toEqual({ total_count: 9, total_pages: 1, current_page: 1 });
    expect(data.filter(({ service_status }) => !service_status)).toHaveLength(1);
    for (const bank of data) {
      const isNatWest = bank.bank_id.includes('natwest');
      const offered = Object.entries(bank.abilities).flatMap(([ability, has]) => (has ? [ability] : []));
      expect(Object.keys(bank.abilities)).toHaveLength(11);
      expect(offered).toEqual(isNatWest ? Object.keys(bank.abilities) : ['domestic_payment']);
      expect(bank).toMatchObject({
        refund_supported: isNatWest,
        standard: 'obie',
        country_iso_code: 'GB',
        order: 100_000,
      });
    }
  });
});

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
const tamarack = catalogue.providersFor('CA')[0];

describe('a requested language', () => {
  it.each([
    ['GB', 'en', 7],
    ['GB', 'en-GB', 7],
    ['US', 'en-US', 1],
    ['AU', 'en', 1],
    ['CA', 'en-CA', 1],
    ['CA', 'fr-CA', 1],
    ['GB', '', 7],
    ['CA', '', 1],
    ['CA', 'en', 0],
    ['GB', 'fr-FR', 0],
    ['FR', 'fr-FR', 0],
  ])('finds the providers of %s that support it: %s', (country, language, many) => {
    expect(catalogue.providersFor(country, language)).toHaveLength(many);
  });

  it.each([
    ['AU', 'en', 2],
    ['CA', 'fr-CA', 1],
    ['CA', 'en', 0],
    ['FR', 'fr-FR', 1],
    ['FR', 'en', 1],
    ['ZA', 'en', 1],
    ['GB', 'en', 1],
    ['US', 'en', 1],
    ['GB', 'fr-FR', 0],
    ['US', 'de-DE', 0],
    ['FR', '', 1],
  ])('finds the file formats of %s that support it: %s', (country, language, many) => {
    expect(catalogue.fileFormatsFor(country, language)).toHaveLength(many);
  });

  it.each(bankFilesPageCountries.flatMap((country) => ['de-DE', 'es-ES'].map((language) => [country, language])))(
    'that only the bank files page offers finds a file format of %s: %s',
    (country, language) => {
      const [format, ...others] = catalogue.fileFormatsFor(country, language);
      expect(others).toEqual([]);
      expect(format?.name).toBe(
        language === 'de-DE' ? 'Auslandsüberweisungen, 320 Spalten' : 'Transferencias internacionales, 320 columnas',
      );
      expect(format?.supportedLanguages).toContain(language);
    },
  );

  it('translates a file format’s name; without one the default language is used', () => {
    expect(names(catalogue.fileFormatsFor('FR', 'en'))).toEqual(['International transfers, 320 columns']);
    expect(names(catalogue.fileFormatsFor('FR'))).toEqual(['Virements internationaux, 320 colonnes']);
  });

  it('that a single provider does not support is answered in its default language (wire 15.1)', () => {
    expect(catalogue.providerById(tamarack?.providerId ?? '', 'de-DE')).toEqual(
      catalogue.providerById(tamarack?.providerId ?? ''),
    );
    expect(catalogue.providerById('nobody')).toBeUndefined();
  });

  it('is also used for the rules of local instruments', () => {
    const french = catalogue.providerById(tamarack?.providerId ?? '', 'fr-CA');
    const rules = french ? catalogue.rulesOf(french, 'BatchPayments') : [];
    const labels = rules.map(({ validation }) => validation?.uiLabel);
    expect(labels).toEqual(['Code d’opération', 'Montant', 'Devise', 'Référence']);
  });
});

describe('definitions in several languages', () => {
  const pairs: [string, Rule[], Rule[]][] = [
    [
      'provider',
      catalogue.providersFor('CA', 'en-CA').flatMap(({ accountType }) => accountType.validationRules),
      catalogue.providersFor('CA', 'fr-CA').flatMap(({ accountType }) => accountType.validationRules),
    ],
    ...(
      [
        ['CA', 'en-CA', 'fr-CA'],
        ['FR', 'en', 'fr-FR'],
        ['FR', 'en', 'de-DE'],
        ['FR', 'en', 'es-ES'],
        ['GB', 'de-DE', 'es-ES'],
      ] as const
    ).map(([country, english, french]): [string, Rule[], Rule[]] => [
      `file format ${country}`,
      catalogue.fileFormatsFor(country, english).flatMap(({ specification }) => specification.rules),
      catalogue.fileFormatsFor(country, french).flatMap(({ specification }) => specification.rules),
    ]),
  ];

  it.each(pairs)('have different messages in each: %s', (_, english, french) => {
    expect(english.length).toBe(french.length);
    english.forEach((rule, position) => {
      const [one, other] = [validationOf(rule), validationOf(french[position] ?? rule)];
      if (one) expect([rule.ruleId, one.errorMessage]).not.toEqual([rule.ruleId, other?.errorMessage]);
      if (one) expect(other?.description, rule.ruleId).toBeTruthy();
    });
  });
});

describe('a translation', () => {
  const key = (field: string) => `${tamarack?.providerId}Provider.Subscriptions-additionalData-transitNumber.${field}`;

  it('is the text of one field of one rule in the language (wire 15.2)', () => {
    expect(catalogue.translation(key('uiLabel'), 'fr-CA')).toBe('Numéro de transit');
    expect(catalogue.translation(key('uiLabel'), 'en-CA')).toBe('Transit number');
    expect(catalogue.translation(key('example'), '')).toBe('12345');
  });

  it('exists for file formats', () => {
    const [format] = catalogue.fileFormatsFor('FR');
    expect(catalogue.translation(`${format?.fileFormatId}FileFormat.Header1-19-53.uiLabel`, 'en')).toBe(
      'Name of the user',
    );
  });

  it.each([
    ['another language', key('uiLabel'), 'de-DE'],
    ['another field', key('regex'), 'en-CA'],
    ['a rest', key('uiLabel.more'), 'en-CA'],
    ['another rule', `${tamarack?.providerId}Provider.none.uiLabel`, 'en-CA'],
    ['another entity', `${tamarack?.providerId}FileFormat.Subscriptions-additionalData-transitNumber.uiLabel`, 'en-CA'],
    ['nothing', '', ''],
  ])('does not exist for %s', (_, unknown, language) => {
    expect(catalogue.translation(unknown, language)).toBeUndefined();
  });
});
