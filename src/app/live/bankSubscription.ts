import { fulfil, port } from '#machines/port.ts';
import { bankSubscriptionMachine } from '#machines/subscription.machine.ts';
import { call } from '../client.ts';
import { createSubscription, loadChoice } from './subscriptionPorts.ts';

export const machine = bankSubscriptionMachine.provide({
  actors: {
    loadChoice: fulfil(port('loadChoice'), async (_, signal) => {
      const [choice, { data: banks }] = await Promise.all([
        loadChoice('bankSubscription', signal),
        call('getBanks', { signal }),
      ]);
      return { ...choice, banks };
    }),
    createSubscription: fulfil(port('createSubscription'), createSubscription),
  },
});
