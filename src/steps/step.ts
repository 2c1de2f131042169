import type { ComponentType } from 'react';
import type { ActorRefFrom, AnyStateMachine } from 'xstate';
import type { CallName } from '#contract/calls.ts';
import type { PreviewOf } from './preview.ts';

/** The props of a step component: the actor of its journey's machine. */
export interface StepProps<Machine extends AnyStateMachine> {
  actor: ActorRefFrom<Machine>;
}

/** A step of any journey; `never`, because each step accepts only the actor of its own machine. */
export type Step = ComponentType<{ actor: never }>;

/** How a journey presents itself. */
export interface JourneyStep {
  Step: Step;
  /**
   * A form keeps its width, beside a wide inspector; a form with a table leaves the inspector a third; a list or raw JSON
   * uses the width of step and inspector.
   */
  layout: 'form' | 'table' | 'list';
  /** Whether payments with an unknown outcome are shown above the step. */
  pendingPayments?: true;
  /** The list's rows: the context's member that holds them, the members of a row that are its id and its name, and what a row is. */
  rows?: { member: string; id: string; name: string; kind: string };
  /** The console's calls whose requests to the service the inspector shows; none if it shows those to an `address`. */
  calls?: readonly CallName[];
  /** The path of the service whose requests the inspector shows, whichever page sent them. */
  address?: string;
  /** The request about to be sent; absent for a page without a preview. */
  preview?: PreviewOf;
}

export type StepTable = Readonly<Record<string, JourneyStep>>;
