import type { JourneyId } from '#machines/journeys.ts';
import { batchSteps } from './batch/index.ts';
import { lookupSteps } from './lookup/index.ts';
import { onboardingSteps } from './onboarding/index.ts';
import { partySteps } from './party/index.ts';
import { paymentSteps } from './payment/index.ts';
import { settingsSteps } from './settings/index.ts';
import { subscriptionSteps } from './subscription/index.ts';
import type { JourneyStep } from './step.ts';

/** How each journey presents itself. */
export const steps: Readonly<Record<JourneyId, JourneyStep>> = {
  ...settingsSteps,
  ...onboardingSteps,
  ...subscriptionSteps,
  ...partySteps,
  ...paymentSteps,
  ...batchSteps,
  ...lookupSteps,
};
