import { bankProviderName } from '#contract/constants.ts';
import type { Bank, Provider } from '#contract/lookup.ts';
import { subscriptionForm, type Form } from '#rules/field.ts';
import { distinctOptions } from '#rules/distinctOptions.ts';
import type { FillEvent, FormContext, FormEvent } from '../lib/form.ts';
import { takesSubscriptions } from '../requirements.ts';
import type { JourneyEvent } from '../lib/gate.ts';
import type { Beside } from '../lib/beside.ts';

/** Whether the subscription is created by the provider's form or by choosing a bank (behaviour, section 2). */
export type SubscriptionKind = 'form' | 'bank';

export interface SubscriptionChoice {
  providers: Provider[];
  banks: Bank[];
}

export interface SubscriptionRequest {
  providerId: string;
  /** A JSON string (behaviour, section 3). */
  additionalData: string;
}

/** What is sent: the request, and what its user knows of other subscriptions. */
export interface Submitted extends SubscriptionRequest, Beside {}

/**
 * The choice of a bank as a form field: its bank_id is the bankIdentifier. A bank that is out of service is listed but
 * cannot be chosen.
 */
const bankForm = (banks: readonly Bank[]): Form => ({
  fields: [
    {
      id: 'bankIdentifier',
      label: 'Banks',
      description: 'The bank that holds the account to pay from',
      example: '',
      required: true,
      kind: 'choice',
      options: distinctOptions(
        banks.map(({ bank_id: value, friendly_name: label, service_status: up }) => ({
          value,
          label,
          ...(!up && { blocked: 'Out of service now; choose another bank, or try again later' }),
        })),
      ),
      regex: '',
      errorMessage: 'Choose a bank',
      paths: ['bankIdentifier'],
    },
  ],
});

export interface Context extends FormContext, Beside, SubscriptionChoice {
  provider: Provider | null;
  result: { subscriptionId: string } | null;
}

export type Event =
  JourneyEvent | FormEvent | FillEvent | { type: 'provider.choose'; providerId: string } | { type: 'provider.clear' };

export interface Args {
  context: Context;
  event: Event;
}

/**
 * The context changes from the material: the facts receive the number of providers read. A single offered provider is
 * chosen automatically, else that of the draft.
 */
export const learntFrom = (
  { facts, draft: { choices, fills } }: Pick<Context, 'facts' | 'draft'>,
  { providers, banks }: SubscriptionChoice,
  kind: SubscriptionKind,
) => {
  const byBank = providers.filter(({ name }) => name === bankProviderName);
  const offered = kind === 'bank' ? byBank : providers;
  const before = fills
    ? exampleProvider({ facts, providers: offered })
    : offered.find(({ providerId }) => providerId === choices.providerId);
  return {
    banks,
    providers: offered,
    provider: (offered.length === 1 ? offered[0] : before) ?? null,
    facts: { ...facts, providers: providers.length, bankProvider: byBank.length > 0 },
  };
};

/** The form of the chosen provider: the fields of its rules, or the choice of a bank. */
export const formFor = ({ banks, provider }: Pick<Context, 'banks' | 'provider'>, kind: SubscriptionKind): Form =>
  kind === 'bank' ? bankForm(banks) : subscriptionForm(provider?.accountType.validationRules ?? []);

/**
 * The provider chosen as an example in the sandbox: of those that accept subscriptions, the first that is not the bank
 * provider, else the first one. Undefined outside the sandbox.
 */
export const exampleProvider = ({ facts, providers }: Pick<Context, 'facts' | 'providers'>): Provider | undefined => {
  const able = providers.filter(takesSubscriptions);
  if (facts.environment !== 'sandbox') return undefined;
  return able.find(({ name }) => name !== bankProviderName) ?? able[0];
};
