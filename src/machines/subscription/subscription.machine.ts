import { assign, setup } from 'xstate';
import { additionalData } from '#rules/payload.ts';
import {
  emptyForm,
  fillsForm,
  fillText,
  formActions,
  formContext,
  formGuards,
  formStates,
  formTypes,
  openForm,
} from '../lib/form.ts';
import {
  blockedState,
  isBlocked,
  cancelledState,
  checkingState,
  succeededState,
  finalOutput,
  storesFacts,
} from '../lib/gate.ts';
import { readTexts, effect, actionTexts } from '../lib/effect.ts';
import { assignsFailure, failsTo, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { takesSubscriptions } from '../requirements.ts';
import { selectLabel, pressLabel, describedGuard } from '../lib/describe.ts';
import {
  exampleProvider,
  formFor,
  learntFrom,
  type Args,
  type Context,
  type Event,
  type SubscriptionChoice,
  type SubscriptionKind,
  type Submitted,
} from './choice.ts';
import { besideIn, despiteIn } from '../lib/beside.ts';
import { bankSubscription, subscription } from './journeys.ts';

/**
 * Subscribes the company to a provider (behaviour, section 4: the six steps). Choosing a provider locks the selector;
 * `provider.clear` starts over. Effects: `loadChoice` (settings, then providers), `createSubscription`.
 */
function subscriptionChart(kind: SubscriptionKind) {
  const { id, requires } = kind === 'bank' ? bankSubscription : subscription;
  const clear = {
    target: 'choosing',
    actions: ['clearProvider', 'clearForm', 'clearFailure'],
    description: pressLabel('Choose another provider'),
  } as const;
  return setup({
    types: formTypes<{ context: Context; events: Event; result: { subscriptionId: string } }>(),
    actors: {
      loadChoice: effect<void, SubscriptionChoice>('reads', readTexts('Settings and providers')),
      createSubscription: effect<Submitted, { subscriptionId: string }>(
        'writes',
        actionTexts('The subscription is created'),
      ),
    },
    guards: {
      isBlocked: isBlocked(requires),
      supported: describedGuard(
        'it offers subscriptions',
        ({ context }: Args) => context.provider !== null && takesSubscriptions(context.provider),
      ),
      isOffered: describedGuard(
        'it is offered',
        ({ context, event }: Args) =>
          event.type === 'provider.choose' &&
          context.providers.some(({ providerId }) => providerId === event.providerId),
      ),
      isChosen: describedGuard('there is only one', ({ context }: Args) => context.provider !== null),
      hasExample: describedGuard('it is the sandbox', ({ context }: Args) => exampleProvider(context) !== undefined),
    },
    actions: {
      assignChoice: assign(({ context }, { choice }: { choice: SubscriptionChoice }) =>
        learntFrom(context, choice, kind),
      ),
      chooseProvider: assign(({ context, event }) =>
        event.type === 'provider.choose'
          ? { provider: context.providers.find(({ providerId }) => providerId === event.providerId) ?? null }
          : {},
      ),
      chooseExample: assign(({ context }) => ({ provider: exampleProvider(context) ?? null })),
      assignDespite: assign(({ context }) => despiteIn(context)),
      clearProvider: assign({ provider: null }),
      clearForm: assign(emptyForm),
      openForm: assign(({ context }) => openForm(formFor(context, kind))),
    },
  })
    .extend({ guards: journeyGuards, actions: journeyActions })
    .extend({ guards: formGuards, actions: formActions })
    .createMachine({
      id,
      context: ({ input }) => ({
        ...formContext(input),
        ...besideIn('subscription', input.facts),
        providers: [],
        banks: [],
        provider: null,
        result: null,
      }),
      initial: 'checking',
      on: { 'facts.arrived': storesFacts },
      output: finalOutput,
      states: {
        checking: checkingState('loading'),
        blocked: blockedState(requires),
        loading: {
          tags: ['busy'],
          description: 'Reads the settings, then the providers',
          entry: 'clearFailure',
          invoke: {
            id: 'loadChoice',
            src: 'loadChoice',
            onDone: {
              target: 'finding',
              actions: { type: 'assignChoice', params: ({ event }) => ({ choice: event.output }) },
            },
            onError: failsTo('unavailable'),
          },
        },
        unavailable: {
          tags: ['failed'],
          description: 'The providers could not be read',
          on: { retry: { guard: 'canHelp', target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
        },
        // Checks again, because the facts now contain the number of providers just read.
        finding: { always: [{ guard: 'isBlocked', target: 'blocked' }, { target: 'offering' }] },
        offering: { always: [{ guard: 'isChosen', target: 'supporting' }, { target: 'choosing' }] },
        choosing: {
          tags: ['form'],
          description: 'A provider can be chosen',
          on: {
            'provider.choose': {
              guard: 'isOffered',
              target: 'supporting',
              actions: 'chooseProvider',
              description: selectLabel('Select Provider'),
            },
            'form.fill': {
              guard: 'hasExample',
              target: 'form',
              actions: ['chooseExample', 'openForm', 'fillForm', 'keepExamples'],
              description: fillText,
            },
            'form.cancel': { target: 'cancelled' },
          },
        },
        supporting: {
          always: [
            { guard: 'supported', target: 'form', actions: ['openForm', 'restoreDraft'] },
            { target: 'noSubscriptionSupport' },
          ],
        },
        noSubscriptionSupport: {
          tags: ['gate'],
          description: 'The provider doesn’t offer subscriptions',
          meta: {
            describe: ({ provider }: Pick<Context, 'provider'>) =>
              `${provider?.name ?? 'The provider'} doesn’t offer subscriptions`,
            alert: 'noSubscriptionSupport',
            instead: { event: 'provider.clear', label: 'Choose another provider' },
          },
          on: { 'alert.close': { target: 'cancelled' }, 'provider.clear': clear },
        },
        form: {
          tags: ['form'],
          description: 'The form is filled in and sent',
          initial: 'editing',
          on: {
            'form.change': { actions: ['changeField', 'keepField'] },
            'form.fill': fillsForm,
            'form.submit': [
              { guard: 'isValid', target: '.submitting', description: pressLabel('Create Subscription') },
              { target: '.invalid', actions: 'showErrors' },
            ],
            'form.cancel': { target: 'cancelled', description: pressLabel('Cancel') },
            'provider.clear': clear,
          },
          states: {
            editing: formStates.editing,
            invalid: formStates.invalid,
            submitting: {
              tags: ['busy'],
              description: 'The subscription is being created',
              entry: 'clearErrors',
              on: {
                'form.change': {},
                'form.fill': {},
                'form.submit': {},
                'form.cancel': {},
                'provider.clear': {},
              },
              invoke: {
                id: 'createSubscription',
                src: 'createSubscription',
                input: ({ context }) => ({
                  providerId: context.provider?.providerId ?? '',
                  additionalData: additionalData(context.form, context.values),
                  beside: context.beside,
                  despite: context.despite,
                }),
                onDone: { target: `#${id}.succeeded`, actions: assign({ result: ({ event }) => event.output }) },
                // Another one may have been created.
                onError: { target: 'refused', actions: [assignsFailure, 'assignDespite', 'emitFactsChanged'] },
              },
            },
            refused: formStates.refused,
          },
        },
        succeeded: succeededState('The subscription is created and is the current one'),
        cancelled: cancelledState,
      },
    });
}

export const subscriptionMachine = subscriptionChart('form');
export const bankSubscriptionMachine = subscriptionChart('bank');
