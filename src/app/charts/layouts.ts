/// <reference types="vite/client" />
import type { ChartId } from './chartNames.ts';
import type { DrawnChart, DrawnMap } from './drawnChart.ts';

/** The layouts written by `npm run charts`, by file. */
const layouts = import.meta.glob<object>('./laidOut/*.json', { import: 'default', eager: true });

function layoutOf(name: string): object {
  const layout = layouts[`./laidOut/${name}.json`];
  if (!layout) throw new Error(`There is no layout of ${name}: run npm run charts`);
  return layout;
}

export const chartOf = (id: ChartId) => layoutOf(id) as DrawnChart; // the file of a machine
export const journeyMap = layoutOf('map') as DrawnMap; // the file of the map
