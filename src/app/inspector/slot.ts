import type { ComponentType } from 'react';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';

export interface InspectorProps {
  id: JourneyId;
  journey: AnyActorRef;
  snapshot: AnyMachineSnapshot;
}

/** What fills the region beside a step; the region is left out while it is null. */
export const Inspector: ComponentType<InspectorProps> | null = null as ComponentType<InspectorProps> | null;
