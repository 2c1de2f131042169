// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { expect, it } from 'vitest';
import { providersMachine, translationsMachine } from '#machines/lookup/lookup.machine.ts';
import { ProvidersStep } from '#steps/lookup/DefinitionsStep.tsx';
import { TranslationsStep } from '#steps/lookup/TranslationsStep.tsx';
import { pick } from '#tests/support/gestures.ts';
import { drawn } from './drawn.tsx';

const Address = () => <output aria-label="Address">{useLocation().search}</output>;
const address = () => Object.fromEntries(new URLSearchParams(screen.getByLabelText('Address').textContent ?? ''));

it('the pages under Rules keep country and language in the address', async () => {
  const { user } = drawn(providersMachine, ({ actor }) => (
    <>
      <ProvidersStep actor={actor} />
      <Address />
    </>
  ));
  await pick(user, screen.getByLabelText('Provider country'), 'CA');
  await pick(user, screen.getByLabelText('Language'), 'fr-CA');
  expect(address()).toEqual({ country: 'CA', language: 'fr-CA' });
  await pick(user, screen.getByLabelText('Language'), 'none');
  expect(address()).toEqual({ country: 'CA', language: '' });
});

it('the translations keep what is chosen in the address', async () => {
  const { user, answer } = drawn(translationsMachine, ({ actor }) => (
    <>
      <TranslationsStep actor={actor} />
      <Address />
    </>
  ));
  const rules = [{ id: 'sort-code', label: 'Sort code', fields: ['uiLabel', 'example'] }];
  const found = { entities: [{ id: 'bacs', type: 'FileFormat', name: 'Bacs', rules }], language: 'en', text: '' };
  await pick(user, screen.getByLabelText('Rules of'), 'Bank file rules');
  await answer('look', found);
  await pick(user, screen.getByLabelText('Bank file template'), 'Bacs');
  await answer('look', found);
  await pick(user, screen.getByLabelText('Rule'), 'Sort code');
  await answer('look', found);
  await pick(user, screen.getByLabelText('Text'), 'example');
  expect(address()).toEqual({ entityType: 'FileFormat', entityId: 'bacs', ruleId: 'sort-code', field: 'example' });
});
