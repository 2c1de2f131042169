// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Shell } from '#app/frame/Shell.tsx';
import { StatusBar } from '#app/frame/StatusBar.tsx';
import { JourneyPage } from '#app/journey/StepHost.tsx';
import type { Problem } from '#contract/problem.ts';
import { accountMachine, organisationMachine } from '#machines/onboarding/forms.machine.ts';
import { addressOf } from '#machines/journeys.ts';
import { messageApproval, messageMachine } from '#machines/lib/message.machine.ts';
import { debtorMachine } from '#machines/party/party.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { translationsMachine } from '#machines/lookup/lookup.machine.ts';
import { settingsMachine } from '#machines/settings/settings.machine.ts';
import type { Values } from '#rules/field.ts';
import { typed } from '#tests/support/bodies.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { pick } from '#tests/support/gestures.ts';
import { unanswered } from '#tests/support/deferredPorts.ts';
import { messageOf } from '#tests/support/messages.ts';
import { supplying, renderPage, renderStep } from '#tests/support/page.tsx';

const unreachable: Problem = {
  type: 'about:blank',
  title: 'The service cannot be reached',
  status: 502,
  detail: 'connect ECONNREFUSED',
  code: 'upstream-unreachable',
};

/** The page of the organisation whose server is this test: facts before and after, and what a submit does. */
function openOrganisation(at: string, submit: (values: Values) => Promise<{ organisationId: string }>) {
  let facts = factsAfter('settings');
  const load = vi.fn(() => Promise.resolve(facts));
  const machine = provideEffects(organisationMachine, {
    submit: async ({ values }) => {
      const made = await submit(values);
      facts = withFacts(facts, { settings: made });
      return made;
    },
  });
  return renderStep('organisation', machine, { at, load });
}

/** Fills in the form by pasting; forms.test.tsx types. */
async function fillIn() {
  const user = userEvent.setup();
  for (const [label, value] of Object.entries(typed('organisation'))) {
    await user.click(await screen.findByLabelText(label));
    await user.paste(value);
  }
  return user;
}

const press = (user: ReturnType<typeof userEvent.setup>, name: string) =>
  user.click(screen.getByRole('button', { name }));
const address = () => screen.getByLabelText('address').textContent;

/** The primary buttons of the page by label: those of the bar, and those that a failure offers. */
const primaries = () =>
  [...document.querySelectorAll('button, a')]
    .filter((each) => each.matches('[data-primary]') || each.matches('[role=alert] [data-leads]'))
    .map((each) => each.textContent);

describe('a failed write', () => {
  const failing = (failure: Partial<Problem>) =>
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- effects reject with problems
    vi.fn(() => Promise.reject({ ...unreachable, call: 'createOrganisation', ...failure }));

  it.each([
    ['was not sent', { outcome: 'not-sent', code: 'console-unreachable' }, ['Create organisation']],
    ['was refused', { outcome: 'refused', code: 'upstream-refused' }, ['Create organisation']],
    ['has an unknown outcome', { outcome: 'unknown', code: 'console-unreachable' }, ['Resend with the same key']],
    ['was lost at the service', { outcome: 'unknown', code: 'upstream-timeout' }, ['Resend with the same key']],
  ] as const)('that %s has one primary button (behaviour 4.57)', async (_, failure, expected) => {
    const machine = provideEffects(organisationMachine, { submit: failing(failure) });
    renderPage(
      <Shell>
        <JourneyPage id="organisation" />
      </Shell>,
      {
        loadJourney: supplying(machine),
        at: '/createorganisation',
        load: () => Promise.resolve(factsAfter('settings')),
      },
    );
    const user = await fillIn();
    await press(user, 'Create organisation');
    await screen.findByRole('alert');
    expect(primaries()).toEqual(expected);
  });
});

describe('the page of a journey', () => {
  it('marks its section with journey and state', async () => {
    const { container } = openOrganisation('/createorganisation', () => Promise.resolve({ organisationId: 'org-1' }));
    const section = () => container.querySelector<HTMLElement>('[data-journey]')?.dataset;
    await fillIn();
    expect(section()).toMatchObject({ journey: 'organisation', state: 'form.editing', wizard: 'working' });
  });

  it('keeps a form in error open, with a summary that leads to the field (behaviour 10.3.1)', async () => {
    const submit = vi.fn(() => Promise.resolve({ organisationId: 'org-1' }));
    openOrganisation('/createorganisation', submit);
    const user = await fillIn();
    await user.clear(screen.getByLabelText('Primary country'));
    await press(user, 'Create organisation');
    const summary = await screen.findByRole('alert');
    expect(document.activeElement).toBe(summary);
    await user.click(within(summary).getByRole('link', { name: /Primary country/ }));
    const field = screen.getByRole('textbox', {
      name: 'Primary country',
      description: /enter a 3-letter country code, such as GBR/,
    });
    expect(document.activeElement).toBe(field);
    expect(submit).not.toHaveBeenCalled();
  });

  it('has the pages of its menu group in the rail of a reference page, not the guided path', async () => {
    const load = () => Promise.resolve(everything);
    renderStep('translations', translationsMachine, { at: '/translation', load });
    const rail = within(await screen.findByRole('navigation', { name: 'Misc' }));
    const pages = await rail.findAllByRole('link');
    expect(pages.map(({ textContent }) => textContent)).toEqual([
      'Settings',
      'ConsumerAPI Health',
      'MessagingAPI Health',
      'Translations',
    ]);
    expect(rail.getByRole('link', { current: 'page' }).textContent).toBe('Translations');
    expect(screen.queryByRole('navigation', { name: 'Guided path' })).toBeNull();
  });

  it.each([
    ['organisation', organisationMachine, ['Create Organisation', 'Create Company', 'Get Access Token'], 'Identity'],
    ['account', accountMachine, ['Get User Token', 'Create Account', 'Create DataSet'], 'Data'],
  ] as const)(
    'unfolds its own phase beside %s, and has one line for each other phase (behaviour 10.16.24)',
    async (id, machine, names, own) => {
      renderStep(id, machine, { at: addressOf(id), load: () => Promise.resolve(everything) });
      const rail = await screen.findByRole('navigation', { name: 'Guided path' });
      await within(rail).findByText(own);
      const shown = [...rail.querySelectorAll('a')].filter((link) => !link.closest('details'));
      expect(shown.map(({ textContent }) => textContent?.replace(/^\W/, ''))).toEqual(names);
      const others = ['Set up', 'Identity', 'Data', 'Connect', 'Pay'].filter((phase) => phase !== own);
      const folded = [...rail.querySelectorAll('summary')];
      expect(folded.map(({ textContent }) => textContent?.replace(/^\W/, ''))).toEqual(others);
    },
  );

  it('goes home after a success when it was opened directly', async () => {
    const submit = vi.fn(() => Promise.resolve({ organisationId: 'org-1' }));
    openOrganisation('/createorganisation', submit);
    await press(await fillIn(), 'Create organisation');
    await waitFor(() => expect(address()).toBe('/'));
    expect(submit).toHaveBeenCalledOnce();
  });

  it('stays with the result and offers the next step on the guided path', async () => {
    openOrganisation('/createorganisation?guided=true', () => Promise.resolve({ organisationId: 'org-1' }));
    const user = await fillIn();
    const path = screen.getByRole('navigation', { name: 'Guided path' });
    expect(within(path).getByRole('link', { current: 'step' }).textContent).toContain('Create Organisation');
    await press(user, 'Create organisation');
    const offer = (await screen.findByText(/Organisation org-1/)).closest('[role=status]');
    expect(document.activeElement).toBe(offer);
    await press(user, 'Next: Create Company');
    expect(address()).toBe('/createcompany?guided=true');
  });

  it('shows the created record by its id under a line that says what was created', async () => {
    const made = {
      id: 'org-1', name: '', at: '2030-01-01T10:00:00.000Z', ms: 40, method: 'POST', url: 'http://service.test/organisations',
      status: 201, interactionId: 'interaction-1',
    }; // prettier-ignore
    let facts = factsAfter('settings');
    const machine = provideEffects(organisationMachine, {
      submit: () => {
        facts = withFacts(facts, { settings: { organisationId: 'org-1' }, made: { organisation: made } });
        return Promise.resolve({ organisationId: 'org-1' });
      },
    });
    const at = '/createorganisation?guided=true';
    renderStep('organisation', machine, { at, load: () => Promise.resolve(facts) });
    await press(await fillIn(), 'Create organisation');
    const shown = within(await screen.findByRole('region', { name: 'Result' }));
    expect(shown.getByText('org-1')).toBeDefined();
    expect(screen.getByText(/Organisation created$/)).toBeDefined();
  });

  it('returns to the page that required its record', async () => {
    openOrganisation('/createorganisation?then=/onboardingsubscription', () =>
      Promise.resolve({ organisationId: 'org-1' }),
    );
    await press(await fillIn(), 'Create organisation');
    await waitFor(() => expect(address()).toBe('/onboardingsubscription'));
  });

  it('does not return to an address that is no journey', async () => {
    openOrganisation('/createorganisation?then=//elsewhere.test', () => Promise.resolve({ organisationId: 'org-1' }));
    await press(await fillIn(), 'Create organisation');
    await waitFor(() => expect(address()).toBe('/'));
  });

  it('shows a failure with its cause and resends on request (behaviour 10.2.1)', async () => {
    const submit = vi.fn<() => Promise<{ organisationId: string }>>();
    let resolve = (_: { organisationId: string }) => {};
    submit.mockRejectedValueOnce(unreachable).mockReturnValueOnce(new Promise((done) => (resolve = done)));
    openOrganisation('/createorganisation', submit);
    const user = await fillIn();
    await press(user, 'Create organisation');
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The service is down, or the network does not reach it.',
    );
    expect(screen.getByLabelText<HTMLInputElement>('Sage CRM id').value).toBe('CRM-000123');
    await press(user, 'Try again');
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    resolve({ organisationId: 'org-1' });
    await waitFor(() => expect(address()).toBe('/'));
    expect(submit).toHaveBeenCalledTimes(2);
  });
});

describe('the settings on the guided path', () => {
  it('are shown around the page as they are saved, and read what depends on them once', async () => {
    let facts = factsAfter('nothing');
    const load = vi.fn(() => Promise.resolve(facts));
    const machine = provideEffects(settingsMachine, {
      saveSetting: ({ key, value }) => {
        facts = withFacts(facts, { settings: { [key]: value }, providers: 2, fileFormats: 1 });
        return Promise.resolve(facts.settings);
      },
    });
    const page = (
      <>
        <JourneyPage id="settings" />
        <StatusBar docked={false} onDock={null} />
      </>
    );
    renderPage(page, { at: '/settings?guided=true', load, loadJourney: supplying(machine) });
    const user = userEvent.setup();
    await pick(user, await screen.findByRole('combobox', { name: 'Provider country' }), 'GB');
    await screen.findByTitle('GB');
    expect(load).toHaveBeenCalledTimes(1);
    await pick(user, screen.getByRole('combobox', { name: 'File format country' }), 'US');
    await screen.findByTitle('US');
    await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
    expect(screen.queryByRole('button', { name: /^Next/ })).toBeNull();
    await press(user, 'Continue');
    await waitFor(() => expect(address()).toBe('/createorganisation?guided=true'));
  });
});

describe('a message whose answer could not be read', () => {
  it('is shown as sent, whatever kept its page from polling', async () => {
    const machine = provideEffects(debtorMachine, {
      loadRules: () => Promise.resolve({ rules: [], pending: [messageOf()] }),
      message: provideEffects(messageMachine, {
        send: unanswered,
        sendAgain: unanswered,
        askOutcome: () => Promise.reject({ ...unreachable, code: 'signed-out' }), // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- ports reject with problems (machines/lib/effect.ts)
      }),
      approval: provideEffects(messageApproval, { watch: unanswered }),
    });
    renderStep('debtor', machine, { at: '/debtors', load: () => Promise.resolve(everything) });
    const alert = await screen.findByRole('alert', undefined, { timeout: 3000 });
    expect(alert.textContent).toContain('The message was sent; its response could not be read yet.');
  });
});

describe('the gate of a journey', () => {
  function openAccount(at: string) {
    const load = () => Promise.resolve(factsAfter('settings'));
    const machine = provideEffects(accountMachine, { submit: unanswered });
    renderStep('account', machine, { at, load });
    return screen.findByRole('alertdialog', {
      name: 'You must get a user token before creating an account',
    });
  }

  it('leads home when it is closed (behaviour 2.10)', async () => {
    const gate = await openAccount('/createaccount');
    await userEvent.click(within(gate).getByRole('button', { name: 'Back to home' }));
    await waitFor(() => expect(address()).toBe('/'));
  });

  it('leads to the journey that provides what is missing, and from there back here (behaviour 10.1.1)', async () => {
    const gate = await openAccount('/createaccount?guided=true');
    await userEvent.click(within(gate).getByRole('link', { name: 'Go to Get User Token' }));
    const there = new URL(address() ?? '', 'http://page.test');
    expect(there.pathname).toBe('/getnetworkaccesstoken');
    expect(Object.fromEntries(there.searchParams)).toEqual({ guided: 'true', then: '/createaccount?guided=true' });
  });
});
