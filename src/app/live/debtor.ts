import { debtorMachine } from '#machines/debtor.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { askOutcome, loadRulesOf, sent } from './party.ts';

/** The idempotency key is the debtorId as well, so that a repeated try names the same debtor. */
export const machine = debtorMachine.provide({
  actors: {
    loadRules: loadRulesOf('debtor'),
    askOutcome,
    putParty: fulfil(port('putParty'), ({ subscriptionId, body, again }, signal) => {
      const whilePending = again ? 'send' : 'refuse';
      return sent(
        once('putDebtor', { subscriptionId, body, whilePending }, (key) =>
          call('putDebtor', { body: { data: { ...body, debtorId: key, subscriptionId }, whilePending }, key, signal }),
        ),
      );
    }),
  },
});
