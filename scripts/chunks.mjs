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
/** What every page loads beside the first chunk (vite.config.ts). */
export const every = Object.keys(manifest).find((key) => manifest[key].name === 'every');
/** What the code of the home page asks for. */
export const home = ['Workspace', 'LastCalls', 'UsageNotes', 'lab/LabBanner'].map((part) => `src/app/${part}.tsx`);
export const host = 'src/app/StepHost.tsx';

/** What the table of pages loads, by journey: its machine and its step. */
export const journeys = Object.fromEntries(
  [
    ...readFileSync('src/app/pages.ts', 'utf8').matchAll(
      /(\w+): \{\s+machine: async \(\) => \(await import\('\.\/(.+)'\)\)\.\1,\s+step: \(\) => import\('#steps\/(.+)'\)/g,
    ),
  ].map(([, journey, ports, step]) => [journey, [`src/app/${ports}`, `src/steps/${step}`]]),
);
if (Object.keys(journeys).length === 0) throw new Error('No journeys were found in src/app/pages.ts');
