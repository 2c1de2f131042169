import { creditorQueryMachine } from '#machines/creditorQuery.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { flatCreditor } from '#rules/party.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { askOutcome } from './party.ts';
import { clearAnswer, clearLeftovers, newestAnswer } from './partyQuery.ts';
import { loadFacts } from './ports.ts';

/** How the answer to the query comes back (upstream-api, section 6.1). */
const answersAs = 'creditorlistqueryresponses';

export const machine = creditorQueryMachine.provide({
  actors: {
    loadFacts,
    clearAnswer,
    askOutcome,
    sendQuery: fulfil(port('sendQuery'), async (query, signal) => {
      await clearLeftovers(answersAs, query, signal);
      await call('queryCreditors', { body: { data: query }, signal });
    }),
    readAnswer: fulfil(port('readAnswer'), async (query, signal) => {
      const answer = await newestAnswer(answersAs, 'creditors', query, signal);
      return answer && { webhookId: answer.webhookId, parties: answer.bodies.map(flatCreditor) };
    }),
    deleteParty: fulfil(port('deleteParty'), async ({ subscriptionId, id }, signal) => {
      const data = { subscriptionId, creditorId: id };
      await once('deleteCreditor', data, (key) => call('deleteCreditor', { body: { data }, key, signal }));
    }),
  },
});
