import { fulfil, port } from '#machines/port.ts';
import { subscriptionMachine } from '#machines/subscription.machine.ts';
import { createSubscription, loadChoice } from './subscriptionPorts.ts';

export const machine = subscriptionMachine.provide({
  actors: {
    loadChoice: fulfil(port('loadChoice'), (_, signal) => loadChoice('subscription', signal)),
    createSubscription: fulfil(port('createSubscription'), createSubscription),
  },
});
