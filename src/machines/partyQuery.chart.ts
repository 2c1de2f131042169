import { assign, setup } from 'xstate';
import { webhookPollInterval } from '#contract/constants.ts';
import type { Facts } from '#contract/facts.ts';
import { answering, isAccepted, isRefused, refusalOf, type AnswerState, type Outcome } from './answer.ts';
import { checks, gates, lacks, noFacts, type JourneyContext, type JourneyEvent, type Meta, type Tag } from './gate.ts';
import { failureOf, port } from './port.ts';
import type { RequirementId } from './requirements.ts';

/** The provider's answer to a query, once its webhook has come; `webhookId` is what is cleared afterwards. */
export interface QueryAnswer<Party> {
  webhookId: string;
  parties: Party[];
}

/** What can be done instead of trying again what has failed. */
const instead = {
  'query.send': { target: 'sending' },
  'party.delete': { guard: 'exists', target: 'confirming', actions: 'choose' },
  'form.cancel': { target: 'closed' },
} as const;

/**
 * Asking a provider for its debtors or creditors, and deleting one (spec, section 4): the webhook data is polled every
 * 1000 ms until the answer arrives, then polling stops and what arrived is cleared. Trying again repeats what has
 * failed, and nothing that was done before it. Ports: `loadFacts`, `sendQuery`,
 * `readAnswer` (null while there is none), `clearAnswer`, `deleteParty`, `askOutcome`.
 */
export function partyQueryChart<Party>(options: {
  id: string;
  requires: readonly RequirementId[];
  idOf: (party: Party) => string;
}) {
  return setup({
    types: {
      context: {} as JourneyContext &
        AnswerState & {
          parties: Party[];
          answer: QueryAnswer<Party> | null;
          /** Times the webhook data was looked at since the query was sent. */
          looks: number;
        },
      events: {} as
        | JourneyEvent
        | { type: 'query.send' }
        | { type: 'party.delete'; id: string }
        | { type: 'delete.confirm' }
        | { type: 'delete.dismiss' },
      tags: {} as Tag,
      meta: {} as Meta,
    },
    actors: {
      loadFacts: port<void, Facts>('loadFacts'),
      sendQuery: port<{ subscriptionId: string }, void>('sendQuery'),
      readAnswer: port<{ subscriptionId: string }, QueryAnswer<Party> | null>('readAnswer'),
      clearAnswer: port<{ webhookId: string }, void>('clearAnswer'),
      deleteParty: port<{ subscriptionId: string; id: string }, void>('deleteParty'),
      askOutcome: port<{ resourceId: string }, Outcome>('askOutcome'),
    },
    delays: { pollInterval: webhookPollInterval },
    guards: {
      lacks,
      exists: ({ context, event }) =>
        event.type === 'party.delete' && context.parties.some((party) => options.idOf(party) === event.id),
      hasArrived: ({ context }) => context.answer !== null,
      isAccepted,
      isRefused,
    },
    actions: {
      forgetFailure: assign({ failure: null }),
      forget: assign({ failure: null, answer: null, outcome: null, looks: 0 }),
      choose: assign(({ event }) => (event.type === 'party.delete' ? { resourceId: event.id } : {})),
      show: assign(({ context }) => ({ parties: context.answer?.parties ?? [] })),
      removeRow: assign(({ context }) => ({
        parties: context.parties.filter((party) => options.idOf(party) !== context.resourceId),
      })),
      fail: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
      keepOutcome: assign((_, { outcome }: { outcome: Outcome }) => ({ outcome })),
      failByOutcome: assign(({ context }) => ({ failure: context.outcome && refusalOf(context.outcome) })),
    },
  }).createMachine({
    id: options.id,
    context: { ...noFacts, parties: [], answer: null, outcome: null, resourceId: '', looks: 0 },
    initial: 'loading',
    states: {
      loading: {
        tags: ['busy'],
        meta: { description: 'Reads where the user stands' },
        entry: 'forget',
        invoke: {
          id: 'loadFacts',
          src: 'loadFacts',
          onDone: { target: 'checking', actions: assign({ facts: ({ event }) => event.output }) },
          onError: {
            target: 'unavailable',
            actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) },
          },
        },
      },
      unavailable: {
        tags: ['failed'],
        meta: { description: 'The facts could not be read' },
        on: { retry: { target: 'loading' }, 'form.cancel': { target: 'closed' } },
      },
      checking: { always: checks(options.requires, 'ready') },
      ...gates(options.requires),
      ready: {
        tags: ['list'],
        meta: { description: 'The provider can be asked' },
        on: { 'query.send': { target: 'sending' }, 'form.cancel': { target: 'closed' } },
      },
      sending: {
        tags: ['list', 'busy'],
        meta: { description: 'The query is being sent' },
        entry: 'forget',
        invoke: {
          id: 'sendQuery',
          src: 'sendQuery',
          input: ({ context }) => ({ subscriptionId: context.facts?.settings.subscriptionId ?? '' }),
          onDone: { target: 'polling' },
          onError: { target: 'unsent', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
        },
      },
      polling: {
        tags: ['list'],
        meta: { description: "The provider's webhook is awaited" },
        initial: 'waiting',
        on: { 'form.cancel': { target: 'closed' } },
        states: {
          waiting: {
            meta: { description: 'Waits before looking again' },
            after: { pollInterval: { target: 'asking' } },
          },
          asking: {
            meta: { description: 'Looks whether webhook data has arrived' },
            invoke: {
              id: 'readAnswer',
              src: 'readAnswer',
              input: ({ context }) => ({ subscriptionId: context.facts?.settings.subscriptionId ?? '' }),
              onDone: {
                target: 'deciding',
                actions: assign(({ context, event }) => ({ answer: event.output, looks: context.looks + 1 })),
              },
              onError: {
                target: `#${options.id}.unread`,
                actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) },
              },
            },
          },
          deciding: {
            always: [
              { guard: 'hasArrived', target: `#${options.id}.clearing`, actions: 'show' },
              { target: 'waiting' },
            ],
          },
        },
      },
      clearing: {
        tags: ['list', 'busy'],
        meta: { description: 'Clears the webhook data that was read' },
        invoke: {
          id: 'clearAnswer',
          src: 'clearAnswer',
          input: ({ context }) => ({ webhookId: context.answer?.webhookId ?? '' }),
          onDone: { target: 'listing' },
          onError: { target: 'uncleared', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
        },
      },
      unsent: {
        tags: ['list', 'failed'],
        meta: { description: 'The query could not be sent' },
        on: { retry: { target: 'sending' }, ...instead },
      },
      unread: {
        tags: ['list', 'failed'],
        meta: { description: 'The query was sent; the webhook data could not be read' },
        on: { retry: { target: 'polling', actions: 'forgetFailure' }, ...instead },
      },
      uncleared: {
        tags: ['list', 'failed'],
        meta: { description: 'The answer is listed; the webhook data could not be cleared' },
        on: { retry: { target: 'clearing', actions: 'forgetFailure' }, ...instead },
      },
      listing: {
        tags: ['list'],
        meta: { description: "The provider's answer is listed" },
        on: {
          'query.send': { target: 'sending' },
          'party.delete': { guard: 'exists', target: 'confirming', actions: 'choose' },
          'form.cancel': { target: 'closed' },
        },
      },
      confirming: {
        tags: ['list'],
        meta: { description: 'Deleting a row is to be confirmed' },
        on: {
          'delete.confirm': { target: 'deleting' },
          'delete.dismiss': { target: 'listing' },
        },
      },
      deleting: {
        tags: ['list', 'busy'],
        meta: { description: 'The deletion is being sent' },
        entry: 'forget',
        invoke: {
          id: 'deleteParty',
          src: 'deleteParty',
          input: ({ context }) => ({
            subscriptionId: context.facts?.settings.subscriptionId ?? '',
            id: context.resourceId,
          }),
          onDone: { target: 'answering' },
          onError: { target: 'refused', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
        },
      },
      answering: {
        tags: ['list'],
        meta: { description: "The provider's answer to the deletion is awaited" },
        ...answering({
          accepted: { target: `#${options.id}.listing`, actions: 'removeRow' },
          refused: { target: `#${options.id}.refused`, actions: 'failByOutcome' },
          unanswered: `#${options.id}.unanswered`,
        }),
      },
      refused: {
        tags: ['list', 'failed'],
        meta: { description: 'The deletion was refused; the list is as it was' },
        on: { retry: { target: 'confirming' }, ...instead },
      },
      unanswered: {
        tags: ['list', 'failed'],
        meta: { description: 'Whether the row was deleted could not be read' },
        on: { retry: { target: 'answering', actions: 'forgetFailure' }, ...instead },
      },
      closed: { type: 'final', meta: { description: 'The journey is left' } },
    },
  });
}
