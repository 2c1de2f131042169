import { creditorMachine } from '#machines/creditor.machine.ts';
import { creditorQueryMachine } from '#machines/creditorQuery.machine.ts';
import { debtorMachine } from '#machines/debtor.machine.ts';
import { debtorQueryMachine } from '#machines/debtorQuery.machine.ts';
import type { Outcome } from '#machines/answer.ts';
import { factsAfter, withFacts } from '#tests/support/facts.ts';
import { creditor, debtor, provider, rules } from '#tests/support/material.ts';
import { modelOf } from '#tests/support/paths.ts';
import { errorsIn, typed } from '#tests/support/typing.ts';

const usable = factsAfter('authorisation');
const { providerId, name } = provider;

/** Facts at each gate of the four pages, and beyond the last. */
const facts = {
  'no subscription': factsAfter('dataset'),
  'no provider': withFacts(usable, { provider: null }),
  'an incapable provider': withFacts(usable, { provider: { providerId, name, capabilities: [] } }),
  'a usable subscription': usable,
};

const outcomes = {
  'no outcome': { state: 'waiting', detail: '' },
  acceptance: { state: 'accepted', detail: '' },
  refusal: { state: 'refused', detail: 'The account is closed' },
} satisfies Record<string, Outcome>;

const material = Object.fromEntries(Object.entries(facts).map(([stage, each]) => [stage, { facts: each, rules }]));
const party = (resourceId: string) => ({
  answers: { loadRules: material, putParty: { 'an id': { resourceId } }, askOutcome: outcomes },
  events: typed,
  reads: errorsIn,
});

export const debtorModel = modelOf(debtorMachine)({ ...party(debtor.debtorId) });
export const creditorModel = modelOf(creditorMachine)({ ...party(creditor.creditorId) });

const query = <Party>(found: Party, id: string) => ({
  answers: {
    loadFacts: facts,
    sendQuery: { nothing: undefined },
    readAnswer: {
      nothing: null,
      'an empty list': { webhookId: 'webhook-1', parties: [] },
      'a row': { webhookId: 'webhook-2', parties: [found] },
    },
    clearAnswer: { nothing: undefined },
    deleteParty: { nothing: undefined },
    askOutcome: outcomes,
  },
  events: { 'party.delete': () => [{ id }, { id: 'unknown' }] },
  reads: ({ parties }: { parties: readonly Party[] }) => parties.length,
});

export const debtorQueryModel = modelOf(debtorQueryMachine)({ ...query(debtor, debtor.debtorId) });
export const creditorQueryModel = modelOf(creditorQueryMachine)({ ...query(creditor, creditor.creditorId) });
