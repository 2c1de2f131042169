// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { bankFilesMachine, consumerHealthMachine, providersMachine } from '#machines/lookup/lookup.machine.ts';
import BankFilesStep from '#steps/lookup/BankFilesStep.tsx';
import ProvidersStep from '#steps/lookup/ProvidersStep.tsx';
import HealthStep from '#steps/lookup/HealthStep.tsx';
import { offered, pick } from '#tests/support/hand.ts';
import { failure, provider } from '#tests/support/material.ts';
import { drawn } from './drawn.tsx';

const health = {
  status: 'Up',
  version: '3.0.0',
  branch: 'main',
  name: 'Consumer API',
  readAt: '2026-11-20T09:00:00.000Z',
};

async function optionsOf(label: string) {
  await userEvent.click(screen.getByLabelText(label));
  const texts = offered().map(({ textContent }) => textContent);
  await userEvent.keyboard('{Escape}');
  return texts;
}

describe('the health table', () => {
  it('shows status, version, branch and name once the API has answered', async () => {
    const { answer } = drawn(consumerHealthMachine, HealthStep);
    expect(screen.queryByRole('table')).toBeNull();
    await answer('look', health);
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Status',
      'Version',
      'Branch',
      'Name',
    ]);
    for (const name of ['Up', '3.0.0', 'main', 'Consumer API']) screen.getByRole('cell', { name });
  });

  it('does not go on saying Up when the API no longer answers', async () => {
    const { answer, refuse, user } = drawn(consumerHealthMachine, HealthStep);
    await answer('look', health);
    await user.click(screen.getByRole('button', { name: 'Look again' }));
    await refuse('look', failure);
    expect(screen.queryByText('Up')).toBeNull();
    screen.getByText(/appear here once it has answered/);
  });

  it('says when it was looked at last, and what has changed since the look before', async () => {
    const { answer, user } = drawn(consumerHealthMachine, HealthStep);
    const news = screen.getByRole('status');
    const again = async (now: typeof health) => {
      await user.click(screen.getByRole('button', { name: 'Look again' }));
      expect(news.textContent).toBe('Looking …');
      await answer('look', now);
    };
    await answer('look', health);
    expect(news.textContent).toMatch(/^Last looked .+\. $/);
    await again({ ...health, readAt: '2026-11-20T09:05:00.000Z' });
    expect(news.textContent).toMatch(/Nothing has changed since the look before\.$/);
    expect(news.querySelector('time')?.dateTime).toBe('2026-11-20T09:05:00.000Z');
    await again({ ...health, version: '3.1.0', branch: 'release' });
    expect(news.textContent).toMatch(/: version was 3\.0\.0, branch was main\.$/);
  });

  it('asks once more with Look again', async () => {
    const { answer, calls, user } = drawn(consumerHealthMachine, HealthStep);
    await answer('look', health);
    await user.click(screen.getByRole('button', { name: 'Look again' }));
    expect(calls).toHaveLength(2);
  });
});

describe('the pages of raw definitions', () => {
  it('offer the bank files page its own countries and languages', async () => {
    drawn(bankFilesMachine, BankFilesStep);
    expect(await optionsOf('Bank file country')).toEqual(['AU', 'FR', 'ZA', 'GB']);
    expect(await optionsOf('Language')).toEqual(expect.arrayContaining(['de-DE', 'es-ES', 'none']));
  });

  it('offer the providers page the countries and languages of providers', async () => {
    drawn(providersMachine, ProvidersStep);
    expect(await optionsOf('Provider country')).toEqual(['AU', 'US', 'GB', 'CA']);
    expect(await optionsOf('Language')).not.toContain('de-DE');
  });

  it('ask again at once for another country and language, dropping the question under way', async () => {
    const { calls, user } = drawn(providersMachine, ProvidersStep);
    await pick(user, screen.getByLabelText('Provider country'), 'CA');
    await pick(user, screen.getByLabelText('Language'), 'fr-CA');
    expect(calls.map(({ input }) => input)).toEqual([{}, { country: 'CA' }, { country: 'CA', language: 'fr-CA' }]);
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
  });

  it('show the answer as JSON that can be searched and copied', async () => {
    const { answer, user } = drawn(providersMachine, ProvidersStep);
    await answer('look', { country: 'GB', language: 'en', found: [provider] });
    const json = screen.getByRole('group', { name: 'providers' });
    within(json).getByText(/Example Bacs/);
    await user.type(screen.getByRole('searchbox', { name: 'Search in providers' }), 'nowhere');
    screen.getByText('No results for "nowhere"');
    screen.getByRole('button', { name: 'Copy providers' });
  });

  it('show the country and language that the settings gave', async () => {
    const { answer } = drawn(providersMachine, ProvidersStep);
    await answer('look', { country: 'CA', language: 'fr-CA', found: [] });
    expect(screen.getByLabelText('Provider country')).toHaveProperty('value', 'CA');
    expect(screen.getByLabelText('Language')).toHaveProperty('value', 'fr-CA');
  });

  it('say that another language may have some when there are none', async () => {
    const { answer, user } = drawn(providersMachine, ProvidersStep);
    await pick(user, screen.getByLabelText('Language'), 'none');
    await answer('look', { country: 'GB', language: '', found: [] });
    screen.getByText('There are no providers for country GB and language none; another language may have some.');
  });

  it('do not show the answer to an earlier question when the last one failed', async () => {
    const { answer, refuse, user } = drawn(providersMachine, ProvidersStep);
    await answer('look', { country: 'GB', language: 'en', found: [provider] });
    await pick(user, screen.getByLabelText('Provider country'), 'US');
    await refuse('look', failure);
    expect(screen.queryByRole('group', { name: 'providers' })).toBeNull();
  });
});
