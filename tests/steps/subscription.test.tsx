// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { bankSubscriptionMachine, subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { BankSubscriptionStep, SubscriptionStep } from '#steps/subscription/SubscriptionStep.tsx';
import { factsAfter } from '#tests/support/facts.ts';
import { enter, offered, pick } from '#tests/support/gestures.ts';
import { bankOf, bankProvider, directProvider, provider } from '#tests/support/fixtures.ts';
import { drawn } from './drawn.tsx';

afterEach(cleanup);

const facts = factsAfter('dataset');
const silent = { ...provider, providerId: 'provider-4', name: 'Example Silent' };
silent.accountType = { ...provider.accountType, validationRules: [] };

async function open(providers = [provider, directProvider, silent]) {
  const step = drawn(subscriptionMachine, SubscriptionStep, { input: { facts } });
  await step.answer('loadChoice', { providers, banks: [] });
  return step;
}

async function openBanks(banks = [bankOf('up', true), bankOf('down', false), bankOf('two', true)]) {
  const step = drawn(bankSubscriptionMachine, BankSubscriptionStep, { input: { facts } });
  await step.answer('loadChoice', { providers: [provider, bankProvider], banks });
  return step;
}

const selector = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Select Provider' });
const number = () => screen.getByRole('textbox', { name: 'serviceUserNumber' });
const press = (name: string) => screen.getByRole('button', { name });

describe('the subscription screen', () => {
  it('starts with the provider selector alone', async () => {
    await open();
    expect(selector().name).toBe('providerid');
    expect(selector().disabled).toBe(false);
    expect(screen.queryByRole('form')).toBeNull();
  });

  it('lets the arrow keys move through the providers: Enter chooses', async () => {
    const { user } = await open();
    await user.click(selector());
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}{ArrowDown}');
    expect([selector().disabled, offered().find(({ dataset }) => dataset['active'] === 'true')?.textContent]).toEqual([
      false,
      silent.name,
    ]);
    await user.keyboard('{Enter}');
    expect([selector().disabled, selector().value]).toEqual([true, silent.name]);
  });

  it('tells providers of one name apart, and opens the form of the chosen one (behaviour 4.63)', async () => {
    const twin = { ...silent, name: provider.name, country: ['SE', 'DK'] };
    const { user } = await open([twin, { ...provider, country: ['GB'] }]);
    await user.click(selector());
    expect(offered().map(({ textContent }) => textContent)).toEqual([
      `${provider.name} · Sweden (SE), Denmark (DK)`,
      `${provider.name} · United Kingdom (GB)`,
    ]);
    await user.keyboard('{Escape}');
    await pick(user, selector(), `${provider.name} · United Kingdom (GB)`);
    expect(number()).toBeDefined();
  });

  it('lets a card choose the provider as well, and folds the cards (behaviour 4.35)', async () => {
    const { user } = await open([
      { ...silent, name: provider.name, country: ['SE'] },
      { ...provider, country: ['GB'] },
    ]);
    await user.click(screen.getByRole('button', { name: new RegExp(`^${provider.name} · United Kingdom \\(GB\\)`) }));
    expect([selector().disabled, selector().value]).toEqual([true, `${provider.name} · United Kingdom (GB)`]);
    expect(screen.queryByRole('button', { name: new RegExp(`^${provider.name}`) })).toBeNull();
    expect(document.activeElement?.contains(number())).toBe(true);
    await user.click(press('Choose another provider'));
    expect(screen.getAllByRole('button', { name: new RegExp(`^${provider.name}`) })).toHaveLength(2);
  });

  it('tells banks of one name apart (behaviour 4.63)', async () => {
    const { user } = await openBanks([
      { ...bankOf('one', true), friendly_name: 'Bank' },
      { ...bankOf('two', true), friendly_name: 'Bank' },
    ]);
    await user.click(screen.getByRole('combobox', { name: /Banks/ }));
    expect(offered().map(({ textContent }) => textContent)).toEqual(['Choose one', 'Bank · one', 'Bank · two']);
  });

  it("shows the rule's own message for a value that fails its regex, and sends nothing", async () => {
    const { user, calls } = await open();
    await pick(user, selector(), provider.name);
    await user.type(number(), '12');
    await user.click(press('Create Subscription'));
    expect(number().getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('alert').textContent).toContain('enter a value such as 123456');
    expect(calls.some(({ port }) => port === 'createSubscription')).toBe(false);
  });

  it('sends additionalData as a JSON string, once', async () => {
    const { user, calls } = await open();
    await pick(user, selector(), provider.name);
    await enter(user, number(), '123456');
    await user.click(press('Create Subscription'));
    await user.click(press('Sending …'));
    const sent = calls.filter(({ port }) => port === 'createSubscription');
    expect(sent.map(({ input }) => input)).toEqual([
      { beside: '', despite: '', providerId: provider.providerId, additionalData: '{"serviceUserNumber":"123456"}' },
    ]);
  });
});

describe('the bank screen', () => {
  it('lists all banks and says why one cannot be chosen (behaviour 10.4.1; wire 17.2)', async () => {
    const { user } = await openBanks();
    const banks = screen.getByRole<HTMLInputElement>('combobox', { name: 'Banks' });
    await user.click(banks);
    expect(offered().map(({ textContent }) => textContent)).toEqual([
      'Choose one',
      'Bank up',
      'Bank downOut of service now; choose another bank, or try again later',
      'Bank two',
    ]);
    const down = screen.getByRole('option', { name: /^Bank down/ });
    expect(down.getAttribute('aria-disabled')).toBe('true');
    await user.click(down);
    expect(banks.dataset['value']).toBe('');
  });

  it('lists only the provider named ecospend, which is chosen', async () => {
    const { user } = await openBanks();
    expect(selector()).toHaveProperty('value', 'ecospend');
    await user.click(press('Choose another provider'));
    await user.click(selector());
    expect(offered().map(({ textContent }) => textContent)).toEqual(['ecospend']);
  });
});
