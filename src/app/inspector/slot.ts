import { type ComponentType } from 'react';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';
import { part } from '#steps/kit/part.tsx';

export interface InspectorProps {
  id: JourneyId;
  journey: AnyActorRef;
  snapshot: AnyMachineSnapshot;
  /** The id of the list's row whose record is shown; '' for none. */
  record?: string;
  /** The id of the step's earlier result, if it is shown instead of the step. */
  made?: string | undefined;
  /** Closes the inspector; absent where it is always open. */
  onClose?: (() => void) | undefined;
}

/** The content of the region beside a step; loaded after the step. */
export const Inspector: ComponentType<InspectorProps> = part(async () => (await import('./Inspector.tsx')).Inspector);
