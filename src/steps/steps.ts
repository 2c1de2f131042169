import type { ComponentType } from 'react';
import type { ActorRefFrom, AnyStateMachine } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';

/** What a step component is given: the running machine of its journey. */
export interface StepProps<Machine extends AnyStateMachine> {
  actor: ActorRefFrom<Machine>;
}

/** `never`: each step takes the actor of its own machine, and the registry holds them all. */
export type Step = ComponentType<{ actor: never }>;

/** What each journey looks like, loaded with its page. */
export const steps: Partial<Record<JourneyId, () => Promise<{ default: Step }>>> = {
  organisation: () => import('./organisation/OrganisationStep.tsx'),
};
