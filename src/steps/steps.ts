import type { ComponentType } from 'react';
import type { ActorRefFrom, AnyStateMachine } from 'xstate';

/** What a step component is given: the running machine of its journey. */
export interface StepProps<Machine extends AnyStateMachine> {
  actor: ActorRefFrom<Machine>;
}

/** `never`: each step takes the actor of its own machine, and the table of pages holds them all. */
export type Step = ComponentType<{ actor: never }>;
