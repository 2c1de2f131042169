import { describe, expect, it } from 'vitest';
import { additionalDataMachine, previewOf } from '#machines/additionalData.machine.ts';
import { live } from '#tests/support/live.ts';
import { provider, rules } from '#tests/support/material.ts';

async function openPlayground() {
  const running = live(additionalDataMachine);
  await running.answer('loadProviders', [provider]);
  return { ...running, context: () => running.actor.getSnapshot().context };
}

describe('the rule playground', () => {
  it('checks while one types', async () => {
    const { send, context } = await openPlayground();
    await send({ type: 'provider.choose', providerId: provider.providerId });
    expect(context().errors.map(({ id }) => id)).toEqual(['serviceUserNumber']);
    await send({ type: 'form.change', field: 'serviceUserNumber', value: '12345' });
    expect(context().errors.map(({ id }) => id)).toEqual(['serviceUserNumber']);
    await send({ type: 'form.change', field: 'serviceUserNumber', value: '123456' });
    expect(context().errors).toEqual([]);
    expect(previewOf(context())).toEqual({ additionalData: '{"serviceUserNumber":"123456"}' });
  });

  it('takes pasted rules, alone or inside a provider', async () => {
    const { send, context } = await openPlayground();
    await send({ type: 'rules.paste', text: JSON.stringify(rules) });
    expect(context().rules).toEqual(rules);
    await send({ type: 'rules.paste', text: JSON.stringify({ ...provider, name: 'Pasted' }) });
    expect(context()).toMatchObject({ rules, pasteError: '' });
    await send({ type: 'path.choose', apiPath: 'Creditors' });
    expect(context().form.fields.map(({ id }) => id)).toEqual(['creditor.name']);
  });

  it.each([
    ['no JSON', '[\n  {', 'No JSON: line 2, column 4 needs a name in double quotes, but there the text ends.'],
    ['null', 'null', /Paste a list of rules/],
    ['a word', '"rules"', /Paste a list of rules/],
    ['something else', '{"rules":[]}', /Paste a list of rules/],
    ['a broken rule', '[{"ruleId":"1"}]', 'Rule 1 has no validation with a jsonPath.'],
    ['a rule that is null', '[null]', 'Rule 1 has no validation with a jsonPath.'],
    [
      'a number for a text',
      '[{"validation":{"jsonPath":"a","regex":7}}]',
      'Rule 1 has a validation whose regex is no text.',
    ],
    [
      'an enumeration of texts',
      '[{"validation":{"jsonPath":"a","enumeration":["b"]}}]',
      'Rule 1 has an enumeration that is no list of value and description.',
    ],
  ])('says what is wrong with %s and keeps the rules it has', async (_, text, message) => {
    const { send, context } = await openPlayground();
    await send({ type: 'provider.choose', providerId: provider.providerId });
    await send({ type: 'rules.paste', text });
    expect(context().pasteError).toMatch(message);
    expect(context().rules).toEqual(rules);
  });
});
