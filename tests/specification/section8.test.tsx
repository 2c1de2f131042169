// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { ErrorBoundary } from '#app/frame/ErrorBoundary.tsx';
import { Gate } from '#app/journey/Gate.tsx';
import type { AlertId } from '#contract/alerts.ts';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { companyMachine, organisationMachine } from '#machines/onboarding/forms.machine.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { chunkFailure } from '#app/client/importWithRetry.ts';
import { subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { SubscriptionStep } from '#steps/subscription/SubscriptionStep.tsx';
import { drawn } from '#tests/steps/drawn.tsx';
import { everything, factsAfter } from '#tests/support/facts.ts';
import { enter } from '#tests/support/gestures.ts';
import { provider } from '#tests/support/fixtures.ts';
import { renderPage, renderStep } from '#tests/support/page.tsx';
import { expectPrinted } from '#tests/support/consoleOutput.ts';

/** The dialogs of sections 2 and 8, copied by hand. */
const catalogue: Record<AlertId, string> = {
  noUsableSubscription: 'No subscription, the subscription is not authorised or suspended',
  noDebtorSupport: 'The selected provider does not support Debtors',
  noCreditorSupport: 'The selected provider does not support Creditors',
  noProviders: 'No providers found for subscription - check language',
  noDebtors: 'There are no debtors (bank accounts) set up',
  noCreditors: 'There are no creditors set up',
  noOrganisation: 'There is no Organisation set up',
  noCompany: 'There is no Company set up',
  noFileFormats: 'No bank file templates found - check language',
  notAuthorised: 'The subscription is not authorised',
  noUserToken: 'You must get a user token before creating an account',
  noAccount: 'You must create an account before creating a dataset',
  noBatches: 'There are no payments to list, try posting a payment',
  noSubscriptionSupport: 'The selected provider does not support Subscriptions',
};

describe('behaviour, section 8: error catalogue', () => {
  it.each(Object.entries(catalogue) as [AlertId, string][])(
    '%s is a modal dialog with the specified text, which can be closed (behaviour 8.1)',
    async (alert, text) => {
      const onClose = vi.fn();
      renderPage(
        <Gate
          journey="debtor"
          gate={{ alert, description: 'Missing' }}
          facts={everything}
          guided={false}
          onClose={onClose}
          onInstead={vi.fn()}
        />,
      );
      const dialog = screen.getByRole('alertdialog', { name: text });
      await userEvent.click(within(dialog).getByRole('button', { name: 'Back to home' }));
      expect(onClose).toHaveBeenCalledOnce();
    },
  );
});

const refusal: Problem = {
  type: 'about:blank',
  title: 'The service refused the request',
  status: 409,
  detail: '',
  code: 'upstream-refused',
  upstream: { status: 409, body: '{"title":"A customer with this id exists"}' },
};

/** The page of a form whose service refuses. */
async function refused(id: JourneyId, machine: AnyStateMachine, facts: Facts) {
  const live = provideEffects(machine, {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- ports reject with problems
    submit: () => Promise.reject(refusal),
  });
  renderStep(id, live, { load: () => Promise.resolve(facts) });
  for (const box of await screen.findAllByRole('textbox')) {
    const hint = box.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '';
    const example = document.getElementById(hint)?.querySelector('code')?.textContent;
    await enter(userEvent, box, example ?? '');
  }
  await userEvent.click(screen.getByRole('button', { name: /^Create/ }));
  return screen.findByRole('alert');
}

describe('behaviour, section 8: other behaviour', () => {
  it('a select field filters its options, and names a term without results (behaviour 8.4)', async () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ ...provider, providerId: `p${n}`, name: `Provider ${n}` }));
    const { answer, user } = drawn(subscriptionMachine, SubscriptionStep, { input: { facts: factsAfter('dataset') } });
    await answer('loadChoice', { providers: many, banks: [] });
    const list = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Select Provider' });
    await user.click(list);
    await user.type(list, 'xyz');
    expect(screen.getByText('No results for "xyz"')).toBeDefined();
    await user.clear(list);
    await user.type(list, 'Provider 17{Enter}');
    expect(screen.getByRole('combobox', { name: 'Select Provider' })).toMatchObject({
      value: 'Provider 17',
      disabled: true,
    });
    await user.click(screen.getByRole('button', { name: 'Choose another provider' }));
    const again = await screen.findByPlaceholderText('Choose one');
    await waitFor(() => expect(document.activeElement).toBe(again));
  });

  it('a refused organisation shows the response body in an alert (behaviour 8.2)', async () => {
    const alert = await refused('organisation', organisationMachine, factsAfter('settings'));
    expect(alert.textContent).toContain('A customer with this id exists');
  });

  it('a refused company shows the response body in an alert (behaviour 8.2)', async () => {
    const alert = await refused('company', companyMachine, factsAfter('organisation'));
    expect(alert.textContent).toContain('A customer with this id exists');
  });

  it.each([
    ['Unexpected Application Error', new Error('broken')],
    ['Loading chunk failed', new Error(chunkFailure)],
  ])('a fatal page error is shown as “%s”, with details to copy and a reload button', async (title, error) => {
    expectPrinted(RegExp(error.message)); // React reports what a boundary caught
    const Broken = () => {
      throw error;
    };
    renderPage(
      <ErrorBoundary shows="">
        <Broken />
      </ErrorBoundary>,
    );
    await waitFor(() => screen.getByRole('heading', { level: 1, name: title }));
    expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Copy details: this error' })).toBeDefined();
  });
});
