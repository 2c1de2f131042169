import { creditorMachine } from '#machines/creditor.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { askOutcome, loadRulesOf } from './party.ts';

/** The idempotency key is the creditorId as well, so that a repeated try names the same creditor. */
export const machine = creditorMachine.provide({
  actors: {
    loadRules: loadRulesOf('creditor'),
    askOutcome,
    putParty: fulfil(port('putParty'), ({ subscriptionId, body }, signal) =>
      once('putCreditor', { subscriptionId, body }, async (key) => {
        await call('putCreditor', { body: { data: { ...body, creditorId: key, subscriptionId } }, key, signal });
        return { resourceId: key };
      }),
    ),
  },
});
