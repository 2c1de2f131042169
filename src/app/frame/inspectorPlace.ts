import { createContext } from 'react';

/**
 * The element of the frame into which a step's inspector is rendered, after the step's bar in tab order; null until the
 * frame is drawn, undefined without a frame: the inspector is then rendered in place.
 */
export const InspectorPlace = createContext<HTMLElement | null | undefined>(undefined);
