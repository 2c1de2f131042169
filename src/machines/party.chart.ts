import { assign, setup } from 'xstate';
import { webhookPollInterval } from '#contract/constants.ts';
import type { Rule } from '#contract/entities.ts';
import type { Facts } from '#contract/facts.ts';
import type { Problem } from '#contract/problem.ts';
import { partyForm } from '#rules/field.ts';
import { nested, type JsonObject } from '#rules/payload.ts';
import { changeField, emptyForm, formErrors, openForm, type FormEvent, type FormState } from './form.ts';
import { checks, gates, lacks, noFacts, type JourneyContext, type JourneyEvent, type Meta, type Tag } from './gate.ts';
import { failureOf, port } from './port.ts';
import type { RequirementId } from './requirements.ts';

/** What became of a message: the service only forwards it, the provider's webhook decides (upstream-api, section 6). */
export interface Outcome {
  state: 'waiting' | 'accepted' | 'refused';
  detail: string;
}

/** What is put: the form's values as a body, for the subscription whose rules the form was made of. */
export interface PartyPut {
  subscriptionId: string;
  body: JsonObject;
}

export const refusalOf = ({ detail }: Outcome): Problem => ({
  type: 'about:blank',
  title: 'The provider refused',
  status: 0,
  detail,
  code: 'upstream-refused',
});

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
      context: {} as JourneyContext & FormState & { rules: Rule[]; resourceId: string; outcome: Outcome | null },
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
      isAccepted: ({ context }) => context.outcome?.state === 'accepted',
      isRefused: ({ context }) => context.outcome?.state === 'refused',
    },
    actions: {
      open: assign(({ context }) => openForm(partyForm(context.rules, options.apiPath))),
      change: assign(({ context, event }) => (event.type === 'form.change' ? changeField(context, event) : {})),
      showErrors: assign(({ context }) => ({ errors: formErrors(context) })),
      clearErrors: assign({ errors: [], failure: null, outcome: null }),
      forgetFailure: assign({ failure: null }),
      fail: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
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
      editing: {
        tags: ['form'],
        meta: { description: 'The form is open' },
        on: {
          'form.change': { actions: 'change' },
          'form.submit': [
            { guard: 'valid', target: 'submitting' },
            { target: 'invalid', actions: 'showErrors' },
          ],
          'form.cancel': { target: 'closed' },
        },
      },
      invalid: {
        tags: ['form'],
        meta: { description: 'The form was submitted with fields in error' },
        on: {
          'form.change': { actions: 'change' },
          'form.submit': [{ guard: 'valid', target: 'submitting' }, { actions: 'showErrors' }],
          'form.cancel': { target: 'closed' },
        },
      },
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
        tags: ['form', 'busy'],
        meta: { description: "The message was forwarded; the provider's answer is awaited" },
        initial: 'waiting',
        on: { 'form.cancel': { target: 'closed' } },
        states: {
          waiting: {
            meta: { description: 'Waits before asking again' },
            after: { pollInterval: { target: 'asking' } },
          },
          asking: {
            meta: { description: 'Asks whether the provider has answered' },
            invoke: {
              id: 'askOutcome',
              src: 'askOutcome',
              input: ({ context }) => ({ resourceId: context.resourceId }),
              onDone: { target: 'deciding', actions: assign({ outcome: ({ event }) => event.output }) },
              onError: {
                target: `#${options.id}.unanswered`,
                actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) },
              },
            },
          },
          deciding: {
            always: [
              { guard: 'isAccepted', target: `#${options.id}.succeeded` },
              { guard: 'isRefused', target: `#${options.id}.refused`, actions: 'failByOutcome' },
              { target: 'waiting' },
            ],
          },
        },
      },
      unanswered: {
        tags: ['failed'],
        meta: { description: 'Whether the provider has answered could not be read' },
        on: { retry: { target: 'answering', actions: 'forgetFailure' }, 'form.cancel': { target: 'closed' } },
      },
      refused: {
        tags: ['form', 'failed'],
        meta: { description: 'The service or the provider refused, or could not be reached' },
        on: {
          'form.change': { target: 'editing', actions: 'change' },
          'form.submit': { target: 'submitting' },
          retry: { target: 'submitting' },
          'form.cancel': { target: 'closed' },
        },
      },
      succeeded: {
        tags: ['done'],
        meta: { description: 'The provider has accepted' },
        on: { 'form.cancel': { target: 'closed' } },
      },
      closed: { type: 'final', meta: { description: 'The journey is left' } },
    },
  });
}
