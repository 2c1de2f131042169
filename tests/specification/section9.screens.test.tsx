// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bankFilesMachine, providersMachine } from '#machines/lookup/lookup.machine.ts';
import { transferMachine } from '#machines/payment/transfer.machine.ts';
import { settingsMachine } from '#machines/settings/settings.machine.ts';
import { bankSubscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { BankFilesStep, ProvidersStep } from '#steps/lookup/DefinitionsStep.tsx';
import { TransferStep } from '#steps/payment/TransferStep.tsx';
import { SettingsStep } from '#steps/settings/SettingsStep.tsx';
import { BankSubscriptionStep } from '#steps/subscription/SubscriptionStep.tsx';
import { drawn } from '#tests/steps/drawn.tsx';
import { everything, factsAfter } from '#tests/support/facts.ts';
import { offered } from '#tests/support/gestures.ts';
import { bankOf, bankProvider, directProvider, fileFormat, provider } from '#tests/support/fixtures.ts';

/** The options that a select offers, without the one for no choice. */
async function optionsOf(label: string): Promise<(string | null)[]> {
  await userEvent.click(screen.getByLabelText(label));
  const texts = offered().map(({ textContent }) => textContent);
  await userEvent.keyboard('{Escape}');
  return texts.filter((text) => !/^(Choose|Any|All)/.test(text));
}

/** Copied from the specification by hand. */
const languages = ['en', 'en-GB', 'en-CA', 'fr-CA', 'fr-FR', 'en-US', 'none'];

afterEach(() => {
  vi.restoreAllMocks();
});

describe('behaviour, section 9: constants on the screens', () => {
  it('the settings offer the specified countries and languages (behaviour 9.2)', async () => {
    drawn(settingsMachine, SettingsStep);
    expect(await optionsOf('Provider country')).toEqual([
      'Australia (AU)',
      'United States (US)',
      'United Kingdom (GB)',
      'Canada (CA)',
    ]);
    expect(await optionsOf('File format country')).toEqual([
      'Australia (AU)',
      'Canada (CA)',
      'France (FR)',
      'South Africa (ZA)',
      'United Kingdom (GB)',
      'United States (US)',
    ]);
    expect(await optionsOf('Language')).toEqual(languages);
  });

  it('the bank files page omits CA and US and also offers de-DE and es-ES (behaviour 9.2)', async () => {
    const { answer } = drawn(bankFilesMachine, BankFilesStep);
    await answer('look', { data: [fileFormat] });
    expect(await optionsOf('Bank file country')).toEqual([
      'Australia (AU)',
      'France (FR)',
      'South Africa (ZA)',
      'United Kingdom (GB)',
    ]);
    expect(await optionsOf('Language')).toEqual([...languages, 'de-DE', 'es-ES']);
  });

  it('the providers page offers the provider countries (behaviour 9.2)', async () => {
    const { answer } = drawn(providersMachine, ProvidersStep);
    await answer('look', { data: [provider] });
    expect(await optionsOf('Provider country')).toEqual([
      'Australia (AU)',
      'United States (US)',
      'United Kingdom (GB)',
      'Canada (CA)',
    ]);
    expect(await optionsOf('Language')).toEqual(languages);
  });

  it('the eTransfer button says $1000.00 and opens the page of the facts (behaviour 9.7)', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    const { user } = drawn(transferMachine, TransferStep, { input: { facts: everything } });
    await user.click(screen.getByRole('button', { name: 'Pay $1000.00' }));
    expect(open.mock.calls[0]?.[0]).toBe(everything.transferUrl);
  });

  it('the bank form offers only the provider named ecospend (behaviour 2.7)', async () => {
    const others = ['Ecospend', 'ecospend Ltd', 'eco'].map((name) => ({ ...bankProvider, providerId: name, name }));
    const second = { ...bankProvider, providerId: 'second' };
    const { answer } = drawn(bankSubscriptionMachine, BankSubscriptionStep, {
      input: { facts: factsAfter('dataset') },
    });
    await answer('loadChoice', {
      providers: [provider, directProvider, ...others, bankProvider, second],
      banks: [bankOf('sandbox-bank', true)],
    });
    expect(await optionsOf('Select Provider')).toEqual(Array(2).fill(expect.stringMatching(/^ecospend · /)));
  });
});
