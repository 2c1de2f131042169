// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settingsMachine } from '#machines/settings/settings.machine.ts';
import { SettingsStep } from '#steps/settings/SettingsStep.tsx';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { pick } from '#tests/support/gestures.ts';
import { drawn } from './drawn.tsx';

afterEach(cleanup);

const { settings } = factsAfter('settings');

const open = (stored = settings) =>
  drawn(settingsMachine, SettingsStep, { input: { facts: withFacts(everything, { settings: stored }) } });

const list = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name });
const toggle = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name });
const goOn = () => screen.getByRole('button', { name: 'Continue' });

/** What the status regions say; that of a select is empty while its filter finds something. */
const told = () => screen.getAllByRole('status').flatMap(({ textContent }) => textContent || []);

describe('the settings', () => {
  it('offer no language as a choice by its name', async () => {
    const { user, pending } = open();
    await pick(user, list('Language'), 'none');
    expect(pending('saveSetting').input).toEqual({ key: 'acceptLanguage', value: '' });
  });

  it('say nothing before something was chosen (behaviour 10.3.2)', () => {
    open({ ...settings, providerCountry: '', fileFormatCountry: '' });
    expect(told()).toEqual([]);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each([
    [{ providerCountry: '', fileFormatCountry: 'GB' }, ['Choose the provider country']],
    [{ providerCountry: 'GB', fileFormatCountry: '' }, ['Choose the file format country']],
    [{ providerCountry: '', fileFormatCountry: '' }, ['Choose the provider country', 'Choose the file format country']],
  ])('say what is missing when Continue is pressed with %o (behaviour 10.3.2)', async (stored, missing) => {
    const { user, isIn } = open({ ...settings, ...stored, acceptLanguage: '' });
    await user.click(goOn());
    expect(isIn('choosing')).toBe(true);
    const summary = screen.getByRole('alert');
    expect(document.activeElement).toBe(summary);
    expect(
      within(summary)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual(missing);
    expect(list('Provider country').getAttribute('aria-invalid')).toBe(stored.providerCountry === '' ? 'true' : null);
    await user.click(within(summary).getAllByRole('link')[0]!);
    expect(document.activeElement).toBe(
      list(stored.providerCountry === '' ? 'Provider country' : 'File format country'),
    );
  });

  it('lose the error of a country that is chosen, and keep that of the other one (behaviour 10.3.2)', async () => {
    const { user } = open({ ...settings, providerCountry: '', fileFormatCountry: '' });
    await user.click(goOn());
    await pick(user, list('Provider country'), 'US');
    expect(within(screen.getByRole('alert')).getByRole('link').textContent).toBe('Choose the file format country');
    expect(list('Provider country').getAttribute('aria-invalid')).toBeNull();
  });

  it('end with Continue once both countries are saved, not before (behaviour 10.3.2)', async () => {
    const { user, answer, actor, isIn } = open({ ...settings, providerCountry: '' });
    await pick(user, list('Provider country'), 'CA');
    await user.click(goOn());
    expect(isIn('saving')).toBe(true);
    await answer('saveSetting', { ...settings, providerCountry: 'CA' });
    await user.click(goOn());
    expect(actor.getSnapshot().output).toEqual({ type: 'succeeded', result: null });
  });

  it('show the elapsed time and a way out when saving takes long, and take further changes meanwhile (behaviour 10.6.1)', async () => {
    const start = performance.now();
    const { user, calls, actor } = open();
    await user.click(toggle('Use network'));
    expect(actor.getSnapshot().hasTag('busy')).toBe(true);
    const now = vi.spyOn(performance, 'now').mockReturnValue(start + 15_000);
    const link = await screen.findByRole('link', { name: 'Leave this step' }, { timeout: 3000 });
    expect(link.getAttribute('href')).toBe('/');
    expect(screen.getByRole('status').textContent).toMatch(
      /^Saving for 1\d s\..*what was sent may still take effect\.$/,
    );
    now.mockRestore();
    await pick(user, list('Language'), 'en-GB');
    expect(list('Language').value).toBe('en-GB');
    expect(calls).toHaveLength(1);
  });
});
