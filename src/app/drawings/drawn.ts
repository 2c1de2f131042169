import type { JourneyId, Phase } from '#machines/journeys.ts';
import type { Chart, ChartState, ChartTransition } from '#machines/chart.ts';

/** Sizes in px of what is drawn; the layout leaves room for them. */
export const stateFont = 13;
export const labelFont = 11;
export const lineHeight = 14;

/** A rectangle in px, from the drawing's top left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Point = readonly [x: number, y: number];

/** A line with corners; its end is the arrow's point. */
export type Line = readonly Point[];

interface Label extends Box {
  lines: string[];
}

/** A state where it is drawn; `lines` is the text below its name. */
export interface DrawnState extends ChartState {
  box: Box;
  lines: string[];
}

/** All transitions from one state to another: one arrow, with a label for each of them that has words. */
export interface DrawnEdge {
  from: string;
  to: string;
  line: Line;
  transitions: (Omit<ChartTransition, 'from' | 'to'> & { label: Label | null })[];
}

/** A chart with its layout, as `npm run charts` leaves it for the page; width and height in px. */
export interface DrawnChart extends Omit<Chart, 'states' | 'transitions'> {
  width: number;
  height: number;
  states: DrawnState[];
  edges: DrawnEdge[];
}

/** The map of journeys with its layout: phases are columns, an arrow leads from what comes first. */
export interface DrawnMap {
  width: number;
  height: number;
  phases: { name: Phase; box: Box }[];
  journeys: { id: JourneyId; box: Box }[];
  edges: {
    from: JourneyId;
    to: JourneyId;
    line: Line;
    /** What the first provides is a gate of the second. */ gate: boolean;
  }[];
}
