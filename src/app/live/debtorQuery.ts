import { debtorQueryMachine } from '#machines/debtorQuery.machine.ts';
import { flatDebtor } from '#rules/party.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { queryPorts } from './partyQuery.ts';

export const machine = debtorQueryMachine.provide({
  actors: queryPorts({
    journey: 'debtorQuery',
    kinds: 'debtoraccountputs,debtoraccountdeletes',
    list: 'debtors',
    flat: flatDebtor,
    query: (request) => call('queryDebtors', request),
    remove({ subscriptionId, id }, signal) {
      const data = { subscriptionId, debtorId: id };
      return once('deleteDebtor', data, (key) => call('deleteDebtor', { body: { data }, key, signal }));
    },
  }),
});
