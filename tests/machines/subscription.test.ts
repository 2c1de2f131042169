import { describe, expect, it } from 'vitest';
import { bankSubscriptionMachine, subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { bankOf, bankProvider, directProvider, provider } from '#tests/support/fixtures.ts';

const providers = [provider, directProvider, bankProvider];

async function openSubscription(
  machine = subscriptionMachine,
  banks = [bankOf('bank-1', true)],
  facts = factsAfter('company'),
) {
  const running = live(machine, { input: { facts } });
  await running.answer('loadChoice', { providers, banks });
  const now = () => running.actor.getSnapshot();
  const choose = (providerId: string) => running.send({ type: 'provider.choose', providerId });
  return { ...running, now, choose };
}

describe('the bank field of a subscription', () => {
  const fieldFor = async (...up: readonly boolean[]) => {
    const banks = up.map((isUp, index) => bankOf(`bank-${index + 1}`, isUp));
    const { choose, now } = await openSubscription(bankSubscriptionMachine, banks);
    await choose(bankProvider.providerId);
    return now().context.form.fields[0];
  };

  it('is a select field of the banks', async () => {
    expect(await fieldFor(true, true)).toMatchObject({
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

  it('disables banks that are out of service, with the reason', async () => {
    const blocked = 'Out of service now; choose another bank, or try again later';
    expect(await fieldFor(false, true, false)).toMatchObject({
      options: [
        { value: 'bank-1', label: 'Bank bank-1', blocked },
        { value: 'bank-2', label: 'Bank bank-2' },
        { value: 'bank-3', label: 'Bank bank-3', blocked },
      ],
    });
  });
});
