/** The built page's chunks, by the manifest that the build leaves; for the build itself and for .size-limit.js. */
import { readFileSync } from 'node:fs';

/** Where the build leaves what is not sent as it is. */
export const built = 'dist/page/.vite';

export const manifest = JSON.parse(readFileSync(`${built}/manifest.json`, 'utf8'));

/** Adds a chunk and everything that it imports statically to `seen`, its imports first. */
export const closure = (key, seen = new Set()) => {
  if (seen.has(key)) return seen;
  for (const next of manifest[key].imports ?? []) closure(next, seen);
  return seen.add(key);
};

export const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);

/** The chunk that each page loads beside the first ones (src/app/routes.ts); that of the steps is named in vite.config.ts. */
export const routes = {
  steps: Object.keys(manifest).find((key) => manifest[key].name === 'steps'),
  charts: 'src/app/charts/ChartPage.tsx',
  timeline: 'src/app/tools/timeline/TimelinePage.tsx',
  lab: 'src/app/tools/lab/LabPage.tsx',
  description: 'src/app/tools/description/ReferencePage.tsx',
  palette: 'src/app/frame/palette/Palette.tsx',
};
