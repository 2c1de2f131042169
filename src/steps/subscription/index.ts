import type { StepTable } from '../step.ts';
import { AuthorisationStep } from './AuthorisationStep.tsx';
import { BankSubscriptionStep } from './BankSubscriptionStep.tsx';
import { SubscriptionStep } from './SubscriptionStep.tsx';
import { authorisation, subscription } from './previews.ts';

/** The effect of creating a second record. */
const another = {
  label: 'Create another',
  effect:
    'Another subscription becomes the current one and begins without debtors and creditors. This one keeps its own, and can be selected again in the list.',
};

/** How the journeys of this area present themselves. */
export const subscriptionSteps = {
  subscription: {
    Step: SubscriptionStep,
    layout: 'form',
    another,
    calls: ['createSubscription'],
    preview: subscription,
  },
  bankSubscription: {
    Step: BankSubscriptionStep,
    layout: 'form',
    another,
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
