// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { translationsMachine, type Translation } from '#machines/lookup/lookup.machine.ts';
import { TranslationsStep } from '#steps/lookup/TranslationsStep.tsx';
import { pick } from '#tests/support/gestures.ts';
import { failure } from '#tests/support/fixtures.ts';
import { drawn } from './drawn.tsx';

const rules = [
  {
    id: 'sort-code',
    label: 'Sort code (DebtorAccounts debtorAgent.identification)',
    fields: ['uiLabel', 'errorMessage', 'description'],
  },
  { id: 'purpose', label: 'Purpose (BatchPayments additionalData.purpose)', fields: ['uiLabel'] },
];
const found: Translation = {
  entities: [{ id: 'provider-1', type: 'Provider', name: 'Example Bacs', rules }],
  language: 'en',
  text: '',
};

/** Up to where a provider's rule is chosen and its text has arrived. */
async function translated() {
  const step = drawn(translationsMachine, TranslationsStep);
  await step.answer('look', found);
  await pick(step.user, screen.getByLabelText('Provider'), 'Example Bacs');
  await step.answer('look', found);
  await pick(step.user, screen.getByLabelText('Rule'), rules[0]!.label); // the first of two
  await step.answer('look', { ...found, text: 'Sort code' });
  return step;
}

describe('the translations', () => {
  it("show a rule's text with the key that it was asked for by", async () => {
    await translated();
    const section = screen.getByRole('region', { name: 'Translation' });
    expect(section.textContent).toContain('Sort code');
    expect(section.textContent).toContain('provider-1Provider.sort-code.uiLabel');
  });

  it('do not show one text in place of a missing one', async () => {
    const { user, refuse } = await translated();
    await pick(user, screen.getByLabelText('Text'), 'description');
    await refuse('look', failure);
    expect(screen.queryByRole('region', { name: 'Translation' })).toBeNull();
  });
});
