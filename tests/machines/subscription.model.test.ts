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
  it('offers only ecospend, and does not submit a bank that is out of service', async () => {
    const { answer, send, actor } = live(bankSubscriptionMachine, { input: { facts: company } });
    const banks = [bankOf('bank-1', true), bankOf('bank-2', false)];
    await answer('loadChoice', { providers: [provider, bankProvider], banks });
    expect(actor.getSnapshot().context.providers.map(({ name }) => name)).toEqual(['ecospend']);
    await send({ type: 'provider.choose', providerId: bankProvider.providerId });
    const [field] = actor.getSnapshot().context.form.fields;
    expect(field?.options.map(({ value, blocked }) => [value, blocked !== undefined])).toEqual([
      ['bank-1', false],
      ['bank-2', true],
    ]);
    await send({ type: 'form.change', field: 'bankIdentifier', value: 'bank-2' });
    await send({ type: 'form.submit' });
    expect(actor.getSnapshot().value).toEqual({ form: 'invalid' });
  });
});
