import { creditorQueryMachine } from '#machines/creditorQuery.machine.ts';
import { flatCreditor } from '#rules/party.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { queryPorts } from './partyQuery.ts';

export const machine = creditorQueryMachine.provide({
  actors: queryPorts({
    journey: 'creditorQuery',
    kinds: 'creditorputs,creditordeletes',
    list: 'creditors',
    flat: flatCreditor,
    query: (request) => call('queryCreditors', request),
    remove({ subscriptionId, id }, signal) {
      const data = { subscriptionId, creditorId: id };
      return once('deleteCreditor', data, (key) => call('deleteCreditor', { body: { data }, key, signal }));
    },
  }),
});
