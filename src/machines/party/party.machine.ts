import { assign, setup } from 'xstate';
import type { Rule } from '#contract/lookup.ts';
import type { Message } from '#contract/message.ts';
import type { Facts } from '#contract/facts.ts';
import { partyForm } from '#rules/field.ts';
import { valuesIn } from '#rules/party.ts';
import type { JsonObject } from '#contract/json.ts';
import { nested } from '#rules/payload.ts';
import {
  mayRepeat,
  mayRepeatListed,
  repeating,
  repeats,
  sendAgain,
  withOutcome,
  type PendingState,
  type SendAgainEvent,
} from '../again.ts';
import {
  answering,
  askOutcome,
  heard,
  isAuthorising,
  isRefused,
  mayAuthorise,
  noAnswer,
  refusalOf,
  type AnswerState,
  type AuthoriseEvent,
  type Heard,
  type OutcomeEvent,
  type Sent,
} from '../answer.ts';
import {
  changeField,
  emptyForm,
  fillForm,
  filling,
  formErrors,
  mayFill,
  openForm,
  type FillEvent,
  type FormEvent,
  type FormState,
} from '../form.ts';
import { checks, gates, lacks, noFacts, type JourneyContext, type JourneyEvent, type Meta, type Tag } from '../gate.ts';
import { arrive, failureOf, port, taken } from '../port.ts';
import type { RequirementId } from '../requirements.ts';
import { debtor, creditor } from './journeys.ts';

/** What is put: the form's values as a body, for the subscription whose rules the form was made of. */
interface PartyPut {
  subscriptionId: string;
  body: JsonObject;
  /** Deliberately a second time, while the same values await their answer. */
  again: boolean;
}

/** What the page begins with; `pending` are the puts that await their answer, the latest first. */
export interface PartyMaterial {
  facts: Facts;
  rules: Rule[];
  pending: Message[];
}

type Event =
  | JourneyEvent
  | FormEvent
  | FillEvent
  | AuthoriseEvent
  | SendAgainEvent
  | OutcomeEvent
  | { type: 'party.another' }
  | { type: 'party.again' }
  | { type: 'answer.await' };

/**
 * Creating a debtor or a creditor: a form from the provider's rules, a message to the provider, and its answer
 * (behaviour, sections 4 to 6). A put that awaits its answer is taken up where the page is opened anew, and is not sent a
 * second time unless the user says so. Ports: `loadRules` (facts, the rules of the subscription's provider, what awaits
 * its answer), `putParty`, `askOutcome`.
 */
function partyChart(options: {
  id: string;
  requires: readonly RequirementId[];
  apiPath: 'DebtorAccounts' | 'Creditors';
}) {
  return setup({
    types: {
      context: {} as JourneyContext &
        FormState &
        AnswerState &
        Omit<PartyMaterial, 'facts' | 'pending'> &
        PendingState &
        Pick<PartyPut, 'again'> & { authorising: boolean },
      events: {} as Event,
      tags: {} as Tag,
      meta: {} as Meta,
    },
    actors: {
      loadRules: port<void, PartyMaterial>('reads', arrive('Facts and rules')),
      putParty: port<PartyPut, Sent>('writes', taken('The message is forwarded')),
      askOutcome,
      sendAgain,
    },
    guards: {
      lacks,
      valid: ({ context }) => formErrors(context).length === 0,
      mayFill,
      hasPending: ({ context }) => context.pending.length > 0,
      wasPending: (_, { pending }: { pending: boolean }) => pending,
      isRefused,
      mayRepeat,
      mayRepeatListed,
      mayAuthorise,
      isAuthorising,
    },
    actions: {
      open: assign(({ context }) => ({
        ...openForm(partyForm(context.rules, options.apiPath)),
        ...noAnswer,
        again: false,
      })),
      resume: assign(({ context: { rules, pending } }) => {
        const form = partyForm(rules, options.apiPath);
        const [latest] = pending;
        return {
          ...openForm(form, valuesIn(form, latest?.data ?? {})),
          ...noAnswer,
          messageId: latest?.messageId ?? '',
          outcome: latest ?? null,
        };
      }),
      change: assign(({ context, event }) =>
        event.type === 'form.change' ? { ...changeField(context, event), again: false } : {},
      ),
      fill: assign(({ context }) => ({ ...fillForm(context), again: false })),
      repeat: assign({ again: true }),
      chooseMessage: assign(({ event }) => (event.type === 'message.sendAgain' ? { repeated: event.id } : {})),
      keepMessage: assign(({ context }, message: Message) => ({
        pending: withOutcome(context.pending, message.messageId, message),
      })),
      openAuthorise: assign({ authorising: true }),
      closeAuthorise: assign({ authorising: false }),
      showErrors: assign(({ context }) => ({ errors: formErrors(context) })),
      clearErrors: assign({ errors: [], failure: null, outcome: null, overdue: false, authorising: false }),
      forgetFailure: assign({ failure: null }),
      fail: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
      hear: assign(({ context }, news: Heard) => {
        const { pending, messageId } = context;
        const kept = heard(context, news);
        return { ...kept, pending: kept.outcome ? withOutcome(pending, messageId, kept.outcome) : pending };
      }),
      failByOutcome: assign(({ context }) => ({ failure: context.outcome && refusalOf(context.outcome) })),
    },
  }).createMachine({
    id: options.id,
    context: {
      ...noFacts,
      ...emptyForm,
      ...noAnswer,
      rules: [],
      pending: [],
      repeated: '',
      again: false,
      authorising: false,
    },
    initial: 'loading',
    states: {
      loading: {
        tags: ['busy'],
        meta: { description: 'Reads where the user stands, the rules of the provider, and what awaits its answer' },
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
        on: { retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
      },
      checking: { always: checks(options.requires, 'resuming') },
      ...gates(options.requires),
      resuming: {
        always: [{ guard: 'hasPending', target: 'answering', actions: 'resume' }, { target: 'opening' }],
      },
      opening: { always: { target: 'editing', actions: 'open' } },
      ...filling(repeats),
      ...repeating('form', 'editing', {
        'form.change': { target: 'editing', actions: 'change' },
        'form.submit': [
          { guard: 'valid', target: 'submitting' },
          { target: 'invalid', actions: 'showErrors' },
        ],
        'form.cancel': { target: 'cancelled' },
      }),
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
            again: context.again,
          }),
          onDone: [
            {
              guard: { type: 'wasPending', params: ({ event }) => event.output },
              target: 'pending',
              actions: assign({ messageId: ({ event }) => event.output.messageId }),
            },
            { target: 'answering', actions: assign({ messageId: ({ event }) => event.output.messageId }) },
          ],
          onError: { target: 'refused', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
        },
      },
      pending: {
        tags: ['form'],
        meta: { description: 'The same values await their answer already; they were not sent again' },
        on: {
          'answer.await': { target: 'answering' },
          'party.again': { target: 'submitting', actions: 'repeat' },
          'form.change': { target: 'editing', actions: 'change' },
          'form.submit': { target: 'submitting' },
          'form.cancel': { target: 'cancelled' },
        },
      },
      answering: {
        tags: ['form', 'busy', 'told'],
        meta: { description: "The message was forwarded; the provider's answer is awaited" },
        ...answering(
          {
            ends: [
              { guard: 'isRefused', target: `#${options.id}.refused`, actions: 'failByOutcome' },
              { target: `#${options.id}.succeeded` },
            ],
            unanswered: `#${options.id}.unanswered`,
          },
          {
            'party.another': { target: 'opening' },
            'authorise.open': { guard: 'mayAuthorise', actions: 'openAuthorise' },
            'authorise.close': { guard: 'isAuthorising', actions: 'closeAuthorise' },
          },
        ),
      },
      unanswered: {
        tags: ['failed'],
        meta: { description: 'Whether the provider has answered could not be read' },
        on: { retry: { target: 'answering', actions: 'forgetFailure' }, 'form.cancel': { target: 'cancelled' } },
      },
      succeeded: {
        tags: ['done'],
        meta: { description: 'The provider has accepted' },
      },
      cancelled: { type: 'final', meta: { description: 'The journey is left' } },
    },
  });
}

export const debtorMachine = partyChart({ id: debtor.id, requires: debtor.requires, apiPath: 'DebtorAccounts' });

export const creditorMachine = partyChart({ id: creditor.id, requires: creditor.requires, apiPath: 'Creditors' });
