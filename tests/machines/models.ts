import { readdirSync } from 'node:fs';
import { journeyOrder, type JourneyId } from '#machines/journeys.ts';
import type { Model } from '#tests/support/paths.ts';

const files = readdirSync('tests/machines').filter((file) => file.endsWith('.models.ts'));
const modules = await Promise.all(
  files.map((file) => import(/* @vite-ignore */ `./${file}`) as Promise<Record<string, unknown>>),
);
const exported = new Map(modules.flatMap((module) => Object.entries(module)));

/** The model of a journey's machine, which one of the files `*.models.ts` exports by its name. */
function modelFor(id: JourneyId): Model {
  const model = exported.get(`${id}Model`);
  if (!model) throw new Error(`No file tests/machines/*.models.ts exports ${id}Model`);
  return model as Model; // by its name
}

/** The model of every journey's machine. Throws if one is missing. */
export const models = Object.fromEntries(journeyOrder.map((id) => [id, modelFor(id)])) as Record<JourneyId, Model>; // made of all
