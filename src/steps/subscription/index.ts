import type { StepTable } from '../step.ts';
import { AuthorisationStep } from './AuthorisationStep.tsx';
import { BankSubscriptionStep, SubscriptionStep } from './SubscriptionStep.tsx';
import { requests } from '#contract/requests/requests.ts';
import type { FormState } from '#machines/lib/form.ts';
import type { Context as SubscriptionContext } from '#machines/subscription/choice.ts';
import { additionalData, nested } from '#rules/payload.ts';
import { updateOf } from '#rules/update.ts';
import { byPaths, contextIn, nothing, type PreviewOf } from '../preview.ts';

const subscription: PreviewOf = (snapshot, { settings }, key) => {
  const { provider, form, values } = contextIn<SubscriptionContext>(snapshot);
  if (!provider) return null;
  const data = { providerId: provider.providerId, additionalData: additionalData(form, values) };
  return {
    request: requests.createSubscription(settings.organisationId, { data }, key),
    lineOf: () => 'data.additionalData',
  };
};

interface Chosen extends FormState {
  chosen: { subscriptionId: string; suspended: boolean } | null;
}

/** The update being edited, or the suspension being sent. */
const authorisation: PreviewOf = (snapshot, _, key) => {
  const state = contextIn<Chosen>(snapshot);
  if (!state.chosen) return null;
  const { subscriptionId, suspended } = state.chosen;
  if (snapshot.matches({ acting: 'suspending' })) {
    const data = { suspendedByConsumer: !suspended };
    return { request: requests.patchSubscription(subscriptionId, { data }), lineOf: nothing };
  }
  if (!snapshot.matches('updating')) return null;
  const data = updateOf(subscriptionId, nested(state.form, state.values));
  const request = requests.message('updates', data, key);
  return { request, lineOf: byPaths(state, 'data.properties.', request) };
};

/** How the journeys of this area present themselves. */
export const subscriptionSteps = {
  subscription: {
    Step: SubscriptionStep,
    layout: 'form',
    calls: ['createSubscription'],
    preview: subscription,
  },
  bankSubscription: {
    Step: BankSubscriptionStep,
    layout: 'form',
    calls: ['createSubscription'],
    preview: subscription,
  },
  authorisation: {
    Step: AuthorisationStep,
    layout: 'list',
    rows: { member: 'rows', id: 'subscriptionId', name: 'providerName', kind: 'Subscription' },
    calls: ['sendUpdate', 'patchSubscription', 'getSubscription', 'sendMessageAgain'],
    preview: authorisation,
  },
} as const satisfies StepTable;
