import { describe, expect, it } from 'vitest';
import type { Provider } from '#contract/lookup.ts';
import type { SubscriptionRequest } from '#machines/subscription/choice.ts';
import { bankSubscriptionMachine, subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { rule } from '#tests/rules/support.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { bankOf, bankProvider, provider } from '#tests/support/fixtures.ts';

const company = factsAfter('company');
const group: Provider = {
  ...provider,
  accountType: {
    capabilities: ['SubscriptionRequired'],
    validationRules: [
      rule('Subscriptions', 'additionalData.owners', { fieldType: 'Array' }),
      rule('Subscriptions', 'additionalData.owners.name.first'),
      rule('Subscriptions', 'additionalData.direct', { fieldType: 'Boolean' }),
      rule('Subscriptions', 'additionalData.secret', { optionality: 'Hidden' }),
    ],
  },
};

describe('the creation of a subscription', () => {
  it('sends additionalData as a JSON string with the group as an array of one', async () => {
    const { answer, send, pending } = live(subscriptionMachine, { input: { facts: company } });
    await answer('loadChoice', { providers: [group], banks: [] });
    await send({ type: 'provider.choose', providerId: group.providerId });
    await send({ type: 'form.change', field: 'owners.name.first', value: 'Sandbox User' });
    await send({ type: 'form.change', field: 'direct', value: 'true' });
    await send({ type: 'form.submit' });
    const { providerId, additionalData } = pending('createSubscription').input as SubscriptionRequest;
    expect(providerId).toBe('provider-1');
    expect(JSON.parse(additionalData)).toEqual({ owners: [{ name: { first: 'Sandbox User' } }], direct: true });
  });
});

describe('the creation of a subscription by bank', () => {
  async function opened(...up: readonly boolean[]) {
    const running = live(bankSubscriptionMachine, { input: { facts: company } });
    const banks = up.map((isUp, index) => bankOf(`bank-${index + 1}`, isUp));
    await running.answer('loadChoice', { providers: [provider, bankProvider], banks });
    const now = () => running.actor.getSnapshot();
    expect(now().context.providers).toEqual([bankProvider]);
    await running.send({ type: 'provider.choose', providerId: bankProvider.providerId });
    return { ...running, now, field: () => now().context.form.fields[0] };
  }

  it('asks for one of the banks', async () => {
    expect((await opened(true, true)).field()).toMatchObject({
      kind: 'choice',
      label: 'Banks',
      example: '',
      description: 'The bank that holds the account to pay from',
      errorMessage: 'Choose a bank',
      options: [
        { value: 'bank-1', label: 'Bank bank-1' },
        { value: 'bank-2', label: 'Bank bank-2' },
      ],
    });
  });

  it('does not take a bank that is out of service, and says why', async () => {
    const { send, now, field } = await opened(true, false);
    const blocked = 'Out of service now; choose another bank, or try again later';
    expect(field()?.options).toEqual([
      { value: 'bank-1', label: 'Bank bank-1' },
      { value: 'bank-2', label: 'Bank bank-2', blocked },
    ]);
    await send({ type: 'form.change', field: 'bankIdentifier', value: 'bank-2' });
    await send({ type: 'form.submit' });
    expect(now().value).toEqual({ form: 'invalid' });
  });
});
