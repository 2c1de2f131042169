// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceDown } from '#app/home/ServiceDown.tsx';
import { SwitchSubscription } from '#app/journey/SwitchSubscription.tsx';
import type { Alternative, Facts } from '#contract/facts.ts';
import { requests, server } from '#tests/support/fakeCalls.ts';
import { everything } from '#tests/support/facts.ts';
import { creditor, debtor, failure } from '#tests/support/fixtures.ts';
import { renderPage } from '#tests/support/page.tsx';

beforeEach(() => {
  server.made.length = 0;
});

const down: Facts = { ...everything, unread: ['subscription', 'providers'], unreadBecause: failure };

describe('home while the service is down', () => {
  it('says what could not be read, what works without it, and what is stored in the console', async () => {
    const many = Array.from({ length: 25 }, (_, index) => ({ ...creditor, creditorname: `Creditor ${index}` }));
    server.answers = { getDebtors: () => ({ data: [debtor] }), getCreditors: () => ({ data: many }) };
    const load = vi.fn(() => Promise.resolve(down));
    const { container } = renderPage(<ServiceDown facts={down} />, { load });
    await screen.findByText(/Debtors: 1 \(Example Trading Ltd\)/);
    expect(container.textContent).toContain('Not read: the subscription, which is shown as last seen, the providers.');
    expect(container.textContent).toContain('and 5 more');
    expect(container.textContent).not.toContain('Creditor 20');
    const works = screen.getByRole('region', { name: 'What works without the payments service' });
    expect(works.textContent).toContain('the posted batches are listed as last seen');
    expect(screen.getByRole('link', { name: /List Payments|Payments: List/ }).getAttribute('href')).toBe(
      '/paymentlist',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
  });

  it('says nothing while everything could be read', () => {
    server.answers = { getDebtors: () => ({ data: [] }), getCreditors: () => ({ data: [] }) };
    renderPage(<ServiceDown facts={everything} />);
    expect(screen.queryByRole('region', { name: 'What works without the payments service' })).toBeNull();
  });
});

describe('another subscription at a gate', () => {
  const alternative: Alternative = {
    subscription: { subscriptionId: 'subscription-2', status: 'Authorised', suspendedByConsumer: false },
    providerId: 'provider-2',
    provider: { providerId: 'provider-2', name: 'Quillmere', capabilities: [] },
    country: 'GB',
    debtors: 1,
    creditors: 1,
  };

  it('becomes the current one in one press, and the page continues', async () => {
    server.answers = { changeSettings: () => ({}) };
    const load = vi.fn(() => Promise.resolve(everything));
    renderPage(<SwitchSubscription alternative={alternative} />, { load });
    await userEvent.click(screen.getByRole('button', { name: 'Use Quillmere instead' }));
    // The facts are read again for it.
    await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
    expect(requests('changeSettings').map(({ body }) => body)).toEqual([
      { subscriptionId: 'subscription-2', providerId: 'provider-2', providerCountry: 'GB', acceptLanguage: 'en' },
    ]);
  });

  it('keeps its own provider, and country and language as they are, where the provider could not be read', async () => {
    server.answers = { changeSettings: () => ({}) };
    const load = vi.fn(() => Promise.resolve(everything));
    const unread = { ...alternative, provider: null, country: '' };
    renderPage(<SwitchSubscription alternative={unread} />, { load });
    await userEvent.click(screen.getByRole('button', { name: 'Use another subscription instead' }));
    // The facts are read again for it.
    await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
    expect(requests('changeSettings').map(({ body }) => body)).toEqual([
      { subscriptionId: 'subscription-2', providerId: 'provider-2' },
    ]);
  });

  it('says why the selection failed or whether it is unknown, stays, and reads the current one again (behaviour 4.8)', async () => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    server.answers = { changeSettings: () => Promise.reject({ ...failure, outcome: 'unknown' }) };
    const load = vi.fn(() => Promise.resolve(everything));
    renderPage(<SwitchSubscription alternative={alternative} />, { load });
    await userEvent.click(screen.getByRole('button', { name: 'Use Quillmere instead' }));
    const { textContent } = await screen.findByRole('alert');
    expect(textContent).toContain(failure.title);
    expect(textContent).toContain('The outcome is unknown');
    await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
    expect(requests('changeSettings')).toHaveLength(1);
  });
});
