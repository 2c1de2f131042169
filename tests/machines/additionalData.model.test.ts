import { describe, expect, it } from 'vitest';
import { additionalDataMachine, previewOf } from '#machines/lookup/additionalData.machine.ts';
import type { Form } from '#rules/field.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { directProvider, provider, rules } from '#tests/support/fixtures.ts';

async function openPlayground() {
  const running = live(additionalDataMachine, { input: { facts: everything } });
  await running.answer('loadProviders', [directProvider, provider]);
  return { ...running, context: () => running.actor.getSnapshot().context };
}

const shown = ({ form }: { form: Form }) => form.fields.map(({ id }) => id);
const pasted = (validation: object) => JSON.stringify([{ validation: { jsonPath: 'a', ...validation } }]);

describe('the rule playground', () => {
  it.each([
    ['Subscriptions', ['serviceUserNumber']],
    ['DebtorAccounts', ['debtorAccount.name', 'debtorAgent.identification']],
    ['Creditors', ['creditor.name']],
    ['BatchPayments', ['purpose']],
  ] as const)('shows the form for %s', async (apiPath, fields) => {
    const { context, send } = await openPlayground();
    await send({ type: 'path.choose', apiPath });
    await send({ type: 'provider.choose', providerId: provider.providerId });
    expect(shown(context())).toEqual(fields);
  });

  it('previews a creditor’s request as nested JSON', async () => {
    const { context, send } = await openPlayground();
    await send({ type: 'provider.choose', providerId: provider.providerId });
    await send({ type: 'path.choose', apiPath: 'Creditors' });
    await send({ type: 'form.change', field: 'creditor.name', value: 'Paper & Sons' });
    expect(previewOf(context())).toEqual({ creditor: { name: 'Paper & Sons' } });
  });

  it('uses the rules of a provider or the pasted ones, whichever came last', async () => {
    const { context, send } = await openPlayground();
    await send({ type: 'provider.choose', providerId: provider.providerId });
    await send({ type: 'rules.paste', text: pasted({ apiPath: 'Subscriptions', jsonPath: 'additionalData.own' }) });
    expect(context().providerId).toBe('');
    expect(shown(context())).toEqual(['own']);
    await send({ type: 'rules.paste', text: 'null' });
    await send({ type: 'provider.choose', providerId: 'unknown' });
    expect(context()).toMatchObject({ providerId: 'unknown', rules: [], pasteError: '' });
  });

  it('accepts an enumeration of values and descriptions', async () => {
    const { context, send } = await openPlayground();
    await send({ type: 'rules.paste', text: pasted({ enumeration: [{ value: 'c', description: 'Company' }] }) });
    expect(context().pasteError).toBe('');
  });

  it.each([
    ['null', [null]],
    ['a missing description', [{ value: 'c' }]],
    ['a missing value', [{ description: 'Company' }]],
    [
      'a number',
      [
        { value: 'c', description: 'Company' },
        { value: 1, description: 'One' },
      ],
    ],
  ])('refuses an enumeration with %s', async (_, enumeration) => {
    const { context, send } = await openPlayground();
    await send({ type: 'rules.paste', text: pasted({ enumeration }) });
    expect(context().pasteError).toBe('Rule 1 has an enumeration that is not a list of value and description.');
  });

  it.each(['apiPath', 'optionality', 'fieldType', 'uiLabel', 'description', 'example', 'regex', 'errorMessage'])(
    'refuses a rule whose %s is not a string',
    async (name) => {
      const { context, send } = await openPlayground();
      await send({ type: 'rules.paste', text: pasted({ [name]: 7 }) });
      expect(context().pasteError).toBe(`Rule 1 has a validation whose ${name} is not a text.`);
    },
  );

  it('validates while the user types', async () => {
    const { send, context } = await openPlayground();
    await send({ type: 'provider.choose', providerId: provider.providerId });
    expect(context().errors.map(({ id }) => id)).toEqual(['serviceUserNumber']);
    await send({ type: 'form.change', field: 'serviceUserNumber', value: '12345' });
    expect(context().errors.map(({ id }) => id)).toEqual(['serviceUserNumber']);
    await send({ type: 'form.change', field: 'serviceUserNumber', value: '123456' });
    expect(context().errors).toEqual([]);
    expect(previewOf(context())).toEqual({ additionalData: '{"serviceUserNumber":"123456"}' });
  });

  it('accepts pasted rules, alone or within a provider', async () => {
    const { send, context } = await openPlayground();
    await send({ type: 'rules.paste', text: JSON.stringify(rules) });
    expect(context().rules).toEqual(rules);
    await send({ type: 'rules.paste', text: JSON.stringify({ ...provider, name: 'Pasted' }) });
    expect(context()).toMatchObject({ rules, pasteError: '' });
    await send({ type: 'path.choose', apiPath: 'Creditors' });
    expect(context().form.fields.map(({ id }) => id)).toEqual(['creditor.name']);
  });

  it.each([
    [
      'invalid JSON',
      '[\n  {',
      'Not valid JSON: line 2, column 4: expected a name in double quotes, found the end of the text.',
    ],
    ['null', 'null', /Paste a list of rules/],
    ['a string', '"rules"', /Paste a list of rules/],
    ['an object without rules', '{"rules":[]}', /Paste a list of rules/],
    ['a broken rule', '[{"ruleId":"1"}]', 'Rule 1 has no validation with a jsonPath.'],
    ['a rule that is null', '[null]', 'Rule 1 has no validation with a jsonPath.'],
    [
      'an enumeration of strings',
      '[{"validation":{"jsonPath":"a","enumeration":["b"]}}]',
      'Rule 1 has an enumeration that is not a list of value and description.',
    ],
  ])('explains what is wrong with %s and keeps its rules', async (_, text, message) => {
    const { send, context } = await openPlayground();
    await send({ type: 'provider.choose', providerId: provider.providerId });
    await send({ type: 'rules.paste', text });
    expect(context().pasteError).toMatch(message);
    expect(context().rules).toEqual(rules);
  });
});
