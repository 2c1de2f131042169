import { creditorMachine } from '#machines/creditor.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { askOutcome, loadRulesOf, sent } from './party.ts';

/** The idempotency key is the creditorId as well, so that a repeated try names the same creditor. */
export const machine = creditorMachine.provide({
  actors: {
    loadRules: loadRulesOf('creditor'),
    askOutcome,
    putParty: fulfil(port('putParty'), ({ subscriptionId, body, again }, signal) => {
      const whilePending = again ? 'send' : 'refuse';
      return sent(
        once('putCreditor', { subscriptionId, body, whilePending }, (key) =>
          call('putCreditor', {
            body: { data: { ...body, creditorId: key, subscriptionId }, whilePending },
            key,
            signal,
          }),
        ),
      );
    }),
  },
});
