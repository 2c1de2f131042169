import { assign, setup } from 'xstate';
import { bankProviderName } from '#contract/constants.ts';
import type { Bank, Provider } from '#contract/lookup.ts';
import type { Facts } from '#contract/facts.ts';
import { subscriptionForm, type Form } from '#rules/field.ts';
import { additionalData } from '#rules/payload.ts';
import { changeField, emptyForm, filling, formErrors, openForm, type FormEvent, type FormState } from '../form.ts';
import { checks, gates, lacks, noFacts, type JourneyContext, type JourneyEvent, type Meta, type Tag } from '../gate.ts';
import { arrive, failureOf, port, taken } from '../port.ts';
import { bankSubscription, subscription } from './journeys.ts';

/** The provider form, or the choice of a bank (behaviour, section 2). */
export type SubscriptionKind = 'form' | 'bank';

export interface SubscriptionChoice {
  facts: Facts;
  providers: Provider[];
  banks: Bank[];
}

export interface SubscriptionRequest {
  providerId: string;
  /** A JSON string (behaviour, section 3). */
  additionalData: string;
}

/** The bank's choice as a field: its bank_id is the bankIdentifier; a bank whose service is down is shown, not offered. */
const bankForm = (banks: readonly Bank[]): Form => ({
  fields: [
    {
      id: 'bankIdentifier',
      label: 'Banks',
      description: 'The bank that holds the account to pay from',
      example: '',
      required: true,
      kind: 'choice',
      options: banks.map(({ bank_id: value, friendly_name: label, service_status: up }) => ({
        value,
        label,
        ...(!up && { blocked: 'Out of service now; choose another bank, or try again later' }),
      })),
      regex: '',
      errorMessage: 'Choose a bank',
      paths: ['bankIdentifier'],
    },
  ],
});

/**
 * Subscribing the company to a provider (behaviour, section 4: the six steps). Choosing a provider locks the selector;
 * `provider.clear` starts over. Ports: `loadChoice` (settings, then providers), `createSubscription`.
 */
function subscriptionChart(kind: SubscriptionKind) {
  const { id, requires } = kind === 'bank' ? bankSubscription : subscription;
  return setup({
    types: {
      context: {} as JourneyContext &
        FormState & { providers: Provider[]; banks: Bank[]; provider: Provider | null; subscriptionId: string },
      events: {} as
        JourneyEvent | FormEvent | { type: 'provider.choose'; providerId: string } | { type: 'provider.clear' },
      tags: {} as Tag,
      meta: {} as Meta,
    },
    actors: {
      loadChoice: port<void, SubscriptionChoice>('reads', arrive('Settings and providers')),
      createSubscription: port<SubscriptionRequest, { subscriptionId: string }>(
        'writes',
        taken('The subscription is created'),
      ),
    },
    guards: {
      lacks,
      supported: ({ context }) => context.provider?.accountType.capabilities?.includes('SubscriptionRequired') ?? false,
      isOffered: ({ context, event }) =>
        event.type === 'provider.choose' && context.providers.some(({ providerId }) => providerId === event.providerId),
      valid: ({ context }) => formErrors(context).length === 0,
    },
    actions: {
      choose: assign(({ context, event }) =>
        event.type === 'provider.choose'
          ? { provider: context.providers.find(({ providerId }) => providerId === event.providerId) ?? null }
          : {},
      ),
      unchoose: assign({ provider: null, failure: null, ...emptyForm }),
      open: assign(({ context }) =>
        openForm(
          kind === 'bank'
            ? bankForm(context.banks)
            : subscriptionForm(context.provider?.accountType.validationRules ?? []),
        ),
      ),
      change: assign(({ context, event }) => (event.type === 'form.change' ? changeField(context, event) : {})),
      showErrors: assign(({ context }) => ({ errors: formErrors(context) })),
      clearErrors: assign({ errors: [], failure: null }),
      forgetFailure: assign({ failure: null }),
    },
  }).createMachine({
    id,
    context: { ...noFacts, ...emptyForm, providers: [], banks: [], provider: null, subscriptionId: '' },
    initial: 'loading',
    states: {
      loading: {
        tags: ['busy'],
        meta: { description: 'Reads the settings, then the providers' },
        entry: 'forgetFailure',
        invoke: {
          id: 'loadChoice',
          src: 'loadChoice',
          onDone: {
            target: 'checking',
            actions: assign(({ event: { output } }) => ({
              facts: output.facts,
              banks: output.banks,
              providers: output.providers.filter(({ name }) => kind === 'form' || name === bankProviderName),
            })),
          },
          onError: { target: 'unavailable', actions: assign({ failure: ({ event }) => failureOf(event.error) }) },
        },
      },
      unavailable: {
        tags: ['failed'],
        meta: { description: 'The providers could not be read' },
        on: { retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
      },
      checking: { always: checks(requires, 'choosing') },
      ...gates(requires),
      choosing: {
        tags: ['form'],
        meta: { description: 'A provider can be chosen' },
        on: {
          'provider.choose': { guard: 'isOffered', target: 'supporting', actions: 'choose' },
          'form.cancel': { target: 'cancelled' },
        },
      },
      supporting: { always: [{ guard: 'supported', target: 'opening' }, { target: 'noSubscriptionSupport' }] },
      noSubscriptionSupport: {
        tags: ['gate'],
        meta: {
          description: 'The chosen provider takes no subscriptions',
          alert: 'noSubscriptionSupport',
          instead: { event: 'provider.clear', label: 'Choose another provider' },
        },
        on: { 'alert.close': { target: 'cancelled' }, 'provider.clear': { target: 'choosing', actions: 'unchoose' } },
      },
      opening: { always: { target: 'editing', actions: 'open' } },
      ...filling({ 'provider.clear': { target: 'choosing', actions: 'unchoose' } }),
      submitting: {
        tags: ['form', 'busy'],
        meta: { description: 'The subscription is being created' },
        entry: 'clearErrors',
        invoke: {
          id: 'createSubscription',
          src: 'createSubscription',
          input: ({ context }) => ({
            providerId: context.provider?.providerId ?? '',
            additionalData: additionalData(context.form, context.values),
          }),
          onDone: {
            target: 'succeeded',
            actions: assign({ subscriptionId: ({ event }) => event.output.subscriptionId }),
          },
          onError: { target: 'refused', actions: assign({ failure: ({ event }) => failureOf(event.error) }) },
        },
      },
      succeeded: {
        tags: ['done'],
        meta: { description: 'The subscription is created and is the current one' },
      },
      cancelled: { type: 'final', meta: { description: 'The journey is left' } },
    },
  });
}

export const subscriptionMachine = subscriptionChart('form');
export const bankSubscriptionMachine = subscriptionChart('bank');
