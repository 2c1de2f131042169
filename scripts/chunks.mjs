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
/** What every page loads after the first chunk: the console's machine, and the client of its calls. */
export const every = ['src/app/run.ts', 'src/app/http.ts'];
export const host = 'src/app/StepHost.tsx';

/** What the home page is used by first; its other parts are asked for by its code, which would share the line with them. */
export const home = ['src/app/Guided.tsx'];

/** What the table of pages loads, by journey: its machine and its step. */
export const journeys = Object.fromEntries(
  [
    ...readFileSync('src/app/pages.ts', 'utf8').matchAll(
      /(\w+): \{\s+machine: async \(\) => \(await import\('\.\/(.+)'\)\)\.\1,\s+step: \(\) => import\('#steps\/(.+)'\)/g,
    ),
  ].map(([, journey, ports, step]) => [journey, [`src/app/${ports}`, `src/steps/${step}`]]),
);
if (Object.keys(journeys).length === 0) throw new Error('No journeys were found in src/app/pages.ts');
