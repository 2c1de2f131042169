/// <reference types="vite/client" />
import type { JourneyId } from '#machines/journeys.ts';
import { chunk } from '#steps/kit/chunk.ts';
import type { DrawnChart, DrawnMap } from './drawn.ts';

/** The layouts written by `npm run charts`; each is loaded on first use. */
const files = import.meta.glob<object>('./laidOut/*.json', { import: 'default' });

const loaded = new Map<string, Promise<object>>();

/** Returns the same promise for each call with the same layout, because `use` requires a stable promise. */
function load(name: string): Promise<object> {
  const file = files[`./laidOut/${name}.json`];
  if (!file) throw new Error(`There is no layout of ${name}: run npm run charts`);
  const promise = loaded.get(name) ?? chunk(file);
  loaded.set(name, promise);
  return promise;
}

export const loadChart = (id: JourneyId) => load(id) as Promise<DrawnChart>; // the file of a machine
/** The chart with its gates folded into one state; the plain chart if it has fewer than two gates. */
export const loadFoldedChart = (id: JourneyId) =>
  load(files[`./laidOut/${id}.folded.json`] ? `${id}.folded` : id) as Promise<DrawnChart>; // the file of a machine
export const loadMap = () => load('map') as Promise<DrawnMap>; // the file of the map
