// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Shell } from '#app/frame/Shell.tsx';
import { JourneyPage } from '#app/journey/StepHost.tsx';
import { provideEffects } from '#machines/lib/effect.ts';
import { settingsMachine } from '#machines/settings/settings.machine.ts';
import { bankSubscriptionMachine, subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import type { SubscriptionChoice, SubscriptionRequest } from '#machines/subscription/choice.ts';
import { importWithRetry } from '#app/client/importWithRetry.ts';
import { translationsMachine } from '#machines/lookup/lookup.machine.ts';
import { TranslationsStep } from '#steps/lookup/TranslationsStep.tsx';
import { SettingsStep } from '#steps/settings/SettingsStep.tsx';
import type { Facts } from '#contract/facts.ts';
import { drawn } from '#tests/steps/drawn.tsx';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { enter, offered, pick } from '#tests/support/gestures.ts';
import { bankOf, bankProvider, directProvider, provider } from '#tests/support/fixtures.ts';
import { supplying, renderPage } from '#tests/support/page.tsx';
import { routes } from './routes.ts';

const facts = factsAfter('dataset');
const choice: SubscriptionChoice = {
  providers: [provider, directProvider, bankProvider],
  banks: [bankOf('open', true)],
};

type Creating = (request: SubscriptionRequest) => Promise<{ subscriptionId: string }>;
const portsWith = (create: Creating) => ({ loadChoice: () => Promise.resolve(choice), createSubscription: create });

/** The two subscription screens as StepHost shows them, within the frame; `create` stands for the server. */
const screens = {
  form: (create: Creating) =>
    renderPage(
      <Shell>
        <JourneyPage id="subscription" />
      </Shell>,
      {
        at: '/onboardingsubscription',
        load: () => Promise.resolve(facts),
        loadJourney: supplying(provideEffects(subscriptionMachine, portsWith(create))),
      },
    ),
  bank: (create: Creating) =>
    renderPage(
      <Shell>
        <JourneyPage id="bankSubscription" />
      </Shell>,
      {
        at: '/openbankingsubscription',
        load: () => Promise.resolve(facts),
        loadJourney: supplying(provideEffects(bankSubscriptionMachine, portsWith(create))),
      },
    ),
};

const selector = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Select Provider' });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const address = () => screen.getByLabelText('address').textContent;
const created = () => Promise.resolve({ subscriptionId: 'subscription-1' });

const fillIn = {
  form: async () => {
    await pick(userEvent, await selector(), provider.name);
    await enter(userEvent, screen.getByLabelText('serviceUserNumber'), '123456');
  },
  bank: async () => {
    // The only provider by bank is preselected.
    expect(await selector()).toMatchObject({ value: bankProvider.name });
    await pick(userEvent, screen.getByLabelText('Banks'), 'Bank open');
  },
};

describe('behaviour, section 2: the settings form', () => {
  it('has three select fields and two switches, none of them behind a press (behaviour 2.16)', () => {
    drawn(settingsMachine, SettingsStep);
    const names = (role: string) =>
      screen.getAllByRole<HTMLInputElement>(role).map(({ labels }) => labels?.[0]?.textContent);
    expect(names('combobox')).toEqual(['Provider country', 'File format country', 'Language']);
    expect(names('switch')).toEqual(['Use mock provider', 'Use network']);
    for (const role of ['combobox', 'switch'])
      for (const control of screen.getAllByRole(role)) expect(control.closest('details')).toBeNull();
  });
});

describe('behaviour, section 2: the translation form', () => {
  it('offers four texts of a rule', async () => {
    drawn(translationsMachine, TranslationsStep);
    await userEvent.click(screen.getByLabelText('Text'));
    const texts = offered().map(({ textContent }) => textContent);
    expect(texts).toEqual(['uiLabel', 'description', 'errorMessage', 'example']);
  });
});

describe.each(['form', 'bank'] as const)('behaviour, section 2: subscription form (%s)', (kind) => {
  it('Cancel returns to the root before and after a provider is chosen', async () => {
    const { unmount } = screens[kind](created);
    await selector();
    await press('Cancel');
    await waitFor(() => expect(address()).toBe('/'));
    unmount();
    screens[kind](created);
    await fillIn[kind]();
    await press('Cancel');
    await waitFor(() => expect(address()).toBe('/'));
  });

  it('the chosen provider is read-only, and its form is titled “Subscription Data” (behaviour 2.5)', async () => {
    screens[kind](created);
    await fillIn[kind]();
    expect(await selector()).toMatchObject({ name: 'providerid', disabled: true });
    const form = screen.getByRole('form', { name: 'Subscription Data' });
    const actions = within(screen.getByRole('region', { name: 'Actions of this step' }));
    expect(actions.getAllByRole<HTMLButtonElement>('button').map((each) => [each.textContent, each.form])).toEqual([
      ['Cancel', null],
      ['Create Subscription', form],
    ]);
  });

  it('an overlay covers the form while it is sent, and success leads to the root (behaviour 2.6)', async () => {
    let finish = () => {};
    screens[kind](() => new Promise((resolve) => (finish = () => resolve({ subscriptionId: 'subscription-1' }))));
    await fillIn[kind]();
    await press('Create Subscription');
    await screen.findByRole('button', { name: 'Sending …' });
    const covered = document.querySelector('main [aria-busy=true]');
    expect(covered?.lastElementChild?.childElementCount).toBe(0);
    finish();
    await waitFor(() => expect(address()).toBe('/'));
  });

  it('the page has a header and a status bar', async () => {
    screens[kind](created);
    await selector();
    expect(screen.getByRole('banner')).toBeDefined();
    const bar = within(screen.getByRole('contentinfo', { name: 'Status' }));
    const labels = bar.getAllByRole('link', { name: /:/ }).map(({ textContent }) => textContent.split(':')[0]);
    expect(labels).toEqual(['Subscription', 'Provider', 'PR Ctry', 'FF Ctry', 'Lang']);
  });
});

describe('behaviour, section 2: the status bar', () => {
  it('shows its five values, and the specified defaults where there is none (behaviour 2.8)', async () => {
    const shown = async (now: Facts) => {
      const { unmount } = renderPage(<Shell>page</Shell>, { load: () => Promise.resolve(now) });
      const bar = within(screen.getByRole('contentinfo', { name: 'Status' }));
      await waitFor(() => expect(bar.getByRole('link', { name: /^Lang/ }).textContent).not.toBe('Lang: unknown'));
      const texts = bar.getAllByRole('link', { name: /:/ }).map(({ textContent }) => textContent);
      unmount();
      return texts;
    };
    const subscriptionId = 'subscription-1';
    const settings = { subscriptionId, providerCountry: 'GB', fileFormatCountry: 'FR', acceptLanguage: 'en-GB' };
    expect(await shown(withFacts(everything, { settings }))).toEqual([
      `Subscription: ${subscriptionId}`,
      `Provider: ${provider.name}`,
      'PR Ctry: GB',
      'FF Ctry: FR',
      'Lang: en-GB',
    ]);
    const none = { subscriptionId: '', providerCountry: '', fileFormatCountry: '', acceptLanguage: '' };
    expect(await shown(withFacts(everything, { settings: none, provider: null }))).toEqual([
      'Subscription: unknown subscription',
      'Provider: unknown provider',
      'PR Ctry: unknown',
      'FF Ctry: unknown',
      'Lang: none',
    ]);
  });
});

describe('behaviour, section 2: the menu', () => {
  it('leads to the specified routes, each in its group under its label (behaviour 2.1)', async () => {
    renderPage(<Shell>page</Shell>, { at: '/settings' });
    const bar = within(screen.getByRole('banner'));
    // jsdom has no width: the menu is the narrow page's, behind its button.
    await userEvent.click(bar.getByRole('button', { name: 'Menu' }));
    const menu = within(bar.getByRole('navigation', { name: 'Journeys' }));
    const found: Record<string, string> = {};
    for (const button of menu.getAllByRole('button', { expanded: false })) {
      const group = button.textContent.replace('▾', '');
      await userEvent.click(button);
      const panel = within(document.getElementById(button.getAttribute('aria-controls')!)!);
      for (const link of panel.getAllByRole<HTMLAnchorElement>('link'))
        found[link.pathname] = `${group}: ${link.firstChild?.textContent}`;
    }
    const labelled = routes.filter(([, group]) => group !== undefined);
    expect(Object.keys(found).sort()).toEqual(labelled.map(([path]) => path).sort());
    for (const [path, group, label] of labelled)
      expect(found[path], path).toMatch(RegExp(`^${group}: ${label === undefined ? '.+' : `${label}$`}`));
  });
});

describe('behaviour, section 2: a JavaScript chunk', () => {
  it('fails to load after 120 seconds (behaviour 2.11, 9.1)', async () => {
    vi.useFakeTimers();
    const outcome = vi.fn();
    void importWithRetry(() => new Promise(() => {})).catch(({ message }: Error) => void outcome(message));
    await vi.advanceTimersByTimeAsync(119_999);
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toHaveBeenCalledWith('Loading chunk failed');
  });

  it('is requested once more, one second after its first request failed (behaviour 2.11)', async () => {
    vi.useFakeTimers();
    const load = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('gone'));
    const broken = expect(importWithRetry(load)).rejects.toThrow('Loading chunk failed');
    await vi.advanceTimersByTimeAsync(999);
    expect(load).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    await broken;
    expect(load).toHaveBeenCalledTimes(2);
    const loaded = importWithRetry(load.mockRejectedValueOnce(new Error('gone')).mockResolvedValueOnce('code'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await loaded).toBe('code');
  });
});
