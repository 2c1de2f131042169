import type { ComponentType } from 'react';
import type { ActorRefFrom, AnyStateMachine } from 'xstate';

/** The props of a step component: the actor of its journey's machine. */
export interface StepProps<Machine extends AnyStateMachine> {
  actor: ActorRefFrom<Machine>;
}

/** A step of any journey; `never`, because each step accepts only the actor of its own machine. */
export type Step = ComponentType<{ actor: never }>;
