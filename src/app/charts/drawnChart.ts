import type { JourneyId, Phase } from '#machines/journeys.ts';
import type { Chart, ChartState, ChartTransition } from '#machines/lib/chart.ts';

/** Font sizes and line height (px) of the drawings, for which the layout reserves space. */
export const stateFont = 13;
export const labelFont = 11;
export const lineHeight = 14;

/** A rectangle in px, relative to the drawing's top left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Point = readonly [x: number, y: number];

/** A polyline; the arrowhead is at its last point. */
export type Line = readonly Point[];

interface Label extends Box {
  lines: string[];
}

/** A state with its position; `lines` is the text below its name. */
export interface DrawnState extends ChartState {
  box: Box;
  lines: string[];
}

/** All transitions from one state to another: one arrow, with a label for each transition that has a text. */
export interface DrawnEdge {
  from: string;
  to: string;
  line: Line;
  transitions: (Omit<ChartTransition, 'from' | 'to'> & { label: Label | null })[];
}

/** A chart with its layout, as written by `npm run charts`; width and height in px. */
export interface DrawnChart extends Omit<Chart, 'states' | 'transitions'> {
  width: number;
  height: number;
  states: DrawnState[];
  edges: DrawnEdge[];
}

/** The map of journeys with its layout: phases are columns, arrows lead from prerequisites. */
export interface DrawnMap {
  width: number;
  height: number;
  phases: { name: Phase; box: Box }[];
  journeys: { id: JourneyId; box: Box }[];
  edges: {
    from: JourneyId;
    to: JourneyId;
    line: Line;
    /** Whether the second journey's gate requires what the first provides. */ gate: boolean;
  }[];
}
