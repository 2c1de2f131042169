import { assign, setup } from 'xstate';
import { webhookPollInterval } from '#contract/constants.ts';
import type { Rule } from '#contract/entities.ts';
import type { Facts } from '#contract/facts.ts';
import { partyForm } from '#rules/field.ts';
import { nested, type JsonObject } from '#rules/payload.ts';
import { answering, isAccepted, isRefused, refusalOf, type AnswerState, type Outcome } from './answer.ts';
import { changeField, emptyForm, filling, formErrors, openForm, type FormEvent, type FormState } from './form.ts';
import { checks, gates, lacks, noFacts, type JourneyContext, type JourneyEvent, type Meta, type Tag } from './gate.ts';
import { failureOf, port } from './port.ts';
import type { RequirementId } from './requirements.ts';

/** What is put: the form's values as a body, for the subscription whose rules the form was made of. */
export interface PartyPut {
  subscriptionId: string;
  body: JsonObject;
}

/**
 * Creating a debtor or a creditor: a form from the provider's rules, a message to the provider, and its answer
 * (spec, sections 4 to 6). Ports: `loadRules` (facts, and the rules of the subscription's provider), `putParty`
 * (gives the id that was put), `askOutcome`.
 */
export function partyChart(options: {
  id: string;
  requires: readonly RequirementId[];
  apiPath: 'DebtorAccounts' | 'Creditors';
}) {
  return setup({
    types: {
      context: {} as JourneyContext & FormState & AnswerState & { rules: Rule[] },
      events: {} as JourneyEvent | FormEvent,
      tags: {} as Tag,
      meta: {} as Meta,
    },
    actors: {
      loadRules: port<void, { facts: Facts; rules: Rule[] }>('loadRules'),
      putParty: port<PartyPut, { resourceId: string }>('putParty'),
      askOutcome: port<{ resourceId: string }, Outcome>('askOutcome'),
    },
    delays: { pollInterval: webhookPollInterval },
    guards: {
      lacks,
      valid: ({ context }) => formErrors(context).length === 0,
      isAccepted,
      isRefused,
    },
    actions: {
      open: assign(({ context }) => openForm(partyForm(context.rules, options.apiPath))),
      change: assign(({ context, event }) => (event.type === 'form.change' ? changeField(context, event) : {})),
      showErrors: assign(({ context }) => ({ errors: formErrors(context) })),
      clearErrors: assign({ errors: [], failure: null, outcome: null }),
      forgetFailure: assign({ failure: null }),
      fail: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
      keepOutcome: assign((_, { outcome }: { outcome: Outcome }) => ({ outcome })),
      failByOutcome: assign(({ context }) => ({ failure: context.outcome && refusalOf(context.outcome) })),
    },
  }).createMachine({
    id: options.id,
    context: { ...noFacts, ...emptyForm, rules: [], resourceId: '', outcome: null },
    initial: 'loading',
    states: {
      loading: {
        tags: ['busy'],
        meta: { description: 'Reads where the user stands and the rules of the provider' },
        entry: 'forgetFailure',
        invoke: {
          id: 'loadRules',
          src: 'loadRules',
          onDone: { target: 'checking', actions: assign(({ event }) => event.output) },
          onError: {
            target: 'unavailable',
            actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) },
          },
        },
      },
      unavailable: {
        tags: ['failed'],
        meta: { description: 'The rules could not be read' },
        on: { retry: { target: 'loading' }, 'form.cancel': { target: 'closed' } },
      },
      checking: { always: checks(options.requires, 'opening') },
      ...gates(options.requires),
      opening: { always: { target: 'editing', actions: 'open' } },
      ...filling({}),
      submitting: {
        tags: ['form', 'busy'],
        meta: { description: 'The message is being sent' },
        entry: 'clearErrors',
        invoke: {
          id: 'putParty',
          src: 'putParty',
          input: ({ context }) => ({
            subscriptionId: context.facts?.settings.subscriptionId ?? '',
            body: nested(context.form, context.values),
          }),
          onDone: { target: 'answering', actions: assign(({ event }) => event.output) },
          onError: { target: 'refused', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
        },
      },
      answering: {
        tags: ['form', 'busy', 'told'],
        meta: { description: "The message was forwarded; the provider's answer is awaited" },
        ...answering({
          accepted: { target: `#${options.id}.succeeded` },
          refused: { target: `#${options.id}.refused`, actions: 'failByOutcome' },
          unanswered: `#${options.id}.unanswered`,
        }),
      },
      unanswered: {
        tags: ['failed'],
        meta: { description: 'Whether the provider has answered could not be read' },
        on: { retry: { target: 'answering', actions: 'forgetFailure' }, 'form.cancel': { target: 'closed' } },
      },
      succeeded: {
        tags: ['done'],
        meta: { description: 'The provider has accepted' },
      },
      closed: { type: 'final', meta: { description: 'The journey is left' } },
    },
  });
}
