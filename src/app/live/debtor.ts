import { debtorMachine } from '#machines/debtor.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { askOutcome, loadRulesOf } from './party.ts';

/** The idempotency key is the debtorId as well, so that a repeated try names the same debtor. */
export const machine = debtorMachine.provide({
  actors: {
    loadRules: loadRulesOf('debtor'),
    askOutcome,
    putParty: fulfil(port('putParty'), ({ subscriptionId, body }, signal) =>
      once('putDebtor', { subscriptionId, body }, async (key) => {
        await call('putDebtor', { body: { data: { ...body, debtorId: key, subscriptionId } }, key, signal });
        return { resourceId: key };
      }),
    ),
  },
});
