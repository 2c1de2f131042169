import type { JourneyId } from '#machines/journeys.ts';
import * as authorisation from './authorisation.ts';
import * as batch from './batch.ts';
import * as lookup from './lookup.ts';
import * as onboarding from './onboarding.ts';
import * as party from './party.ts';
import * as payment from './payment.ts';
import * as settings from './settings.ts';
import * as subscription from './subscription.ts';
import type { JourneyCode } from '#machines/console.ts';

/** Every journey's machine with the page's effects. Each of these files exports its area's journeys and nothing else. */
export const suppliedJourneys: Readonly<Record<JourneyId, JourneyCode>> = {
  ...settings,
  ...onboarding,
  ...subscription,
  ...authorisation,
  ...party,
  ...payment,
  ...batch,
  ...lookup,
};
