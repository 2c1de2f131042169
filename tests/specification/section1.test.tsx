// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { Home } from '#app/home/Home.tsx';
import { Shell } from '#app/frame/Shell.tsx';
import { usageNotes } from '#app/home/UsageNotes.tsx';
import { bankSubscriptionMachine, subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { BankSubscriptionStep, SubscriptionStep } from '#steps/subscription/SubscriptionStep.tsx';
import { drawn } from '#tests/steps/drawn.tsx';
import { factsAfter } from '#tests/support/facts.ts';
import { enter, pick } from '#tests/support/gestures.ts';
import { bankOf, bankProvider, directProvider, provider } from '#tests/support/fixtures.ts';
import { renderPage } from '#tests/support/page.tsx';

/** The groups of the usage notes and of the menu, copied from the specification by hand. */
const groups = ['Misc', 'Org/Comp', 'Acct/DataSet', 'Subscriptions', 'Rules', 'Debtors/Creditors', 'Payments'];

const facts = factsAfter('dataset');

describe('behaviour, section 1: product', () => {
  it('the home page says that this is an unsupported sample without guarantee (behaviour 1.1)', () => {
    renderPage(<Home />);
    expect(screen.getByText(/This is an unsupported sample without guarantee/)).toBeDefined();
  });

  it.each(groups)('the home page gives usage notes on %s', async (group) => {
    renderPage(<Home />);
    const notes = (await screen.findByRole('heading', { name: group, level: 3 })).parentElement ?? document.body;
    expect(notes.closest('details')).toBeNull();
    const said = within(notes)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(said).toEqual(usageNotes[group as keyof typeof usageNotes]);
    expect(said.length).toBeGreaterThan(0);
  });

  it('the top bar’s logo links to the root, and its menu has the groups of journeys (behaviour 1.3)', async () => {
    renderPage(<Shell>page</Shell>, { at: '/settings' });
    const bar = within(screen.getByRole('banner'));
    // jsdom has no width: the menu is the narrow page's, behind its button.
    await userEvent.click(bar.getByRole('button', { name: 'Menu' }));
    const menu = within(bar.getByRole('navigation', { name: 'Journeys' }));
    const names = menu.getAllByRole('button', { expanded: false }).map(({ textContent }) => textContent);
    expect(names.map((name) => name?.replace('▾', ''))).toEqual(groups);
    await userEvent.click(bar.getByRole('link', { name: 'Payments Out Console' }));
    expect(screen.getByLabelText('address').textContent).toBe('/');
  });

  it('the subscription form submits the data that the chosen provider requires (behaviour 1.4)', async () => {
    const { answer, user, pending } = drawn(subscriptionMachine, SubscriptionStep, { input: { facts } });
    await answer('loadChoice', { providers: [provider, directProvider], banks: [] });
    await pick(user, screen.getByLabelText('Select Provider'), provider.name);
    await enter(user, screen.getByLabelText('serviceUserNumber'), '123456');
    await user.click(screen.getByRole('button', { name: 'Create Subscription' }));
    expect(pending('createSubscription').input).toMatchObject({ providerId: provider.providerId });
  });

  it('the bank subscription form submits the chosen sample bank (behaviour 1.4)', async () => {
    const { answer, user, pending } = drawn(bankSubscriptionMachine, BankSubscriptionStep, { input: { facts } });
    await answer('loadChoice', { providers: [bankProvider], banks: [bankOf('sandbox-bank', true)] });
    await pick(user, screen.getByLabelText('Banks'), 'Bank sandbox-bank');
    await user.click(screen.getByRole('button', { name: 'Create Subscription' }));
    expect(pending('createSubscription').input).toMatchObject({ additionalData: '{"bankIdentifier":"sandbox-bank"}' });
  });
});
