/// <reference types="vite/client" />
import type { ChartId } from './chartNames.ts';
import type { DrawnChart, DrawnMap } from './drawnChart.ts';

/** The layouts written by `npm run charts`; as a type, the file itself would cost the compiler seconds. */
const [layouts = {}] = Object.values(
  import.meta.glob<Record<string, object>>('/scripts/charts/layouts.json', { import: 'default', eager: true }),
);

function layoutOf(name: string): object {
  const layout = layouts[name];
  if (!layout) throw new Error(`There is no layout of ${name}: run npm run charts`);
  return layout;
}

export const chartOf = (id: ChartId) => layoutOf(id) as DrawnChart; // the file of a machine
export const journeyMap = layoutOf('map') as DrawnMap; // the file of the map
