import { debtorQueryMachine } from '#machines/debtorQuery.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { flatDebtor } from '#rules/party.ts';
import { call } from '../client.ts';
import { once } from '../once.ts';
import { askOutcome } from './party.ts';
import { clearAnswer, clearLeftovers, newestAnswer } from './partyQuery.ts';
import { loadFacts } from './ports.ts';

/** How the answer to the query comes back (upstream-api, section 6.1). */
const answersAs = 'debtoraccountlistqueryresponses';

export const machine = debtorQueryMachine.provide({
  actors: {
    loadFacts,
    clearAnswer,
    askOutcome,
    sendQuery: fulfil(port('sendQuery'), async (query, signal) => {
      await clearLeftovers(answersAs, query, signal);
      await call('queryDebtors', { body: { data: query }, signal });
    }),
    readAnswer: fulfil(port('readAnswer'), async (query, signal) => {
      const answer = await newestAnswer(answersAs, 'debtors', query, signal);
      return answer && { webhookId: answer.webhookId, parties: answer.bodies.map(flatDebtor) };
    }),
    deleteParty: fulfil(port('deleteParty'), async ({ subscriptionId, id }, signal) => {
      const data = { subscriptionId, debtorId: id };
      await once('deleteDebtor', data, (key) => call('deleteDebtor', { body: { data }, key, signal }));
    }),
  },
});
