import { readFileSync } from 'node:fs';

/**
 * kB of gzip: what the first picture of the home page takes; the console's machine, which every page loads after that; and
 * what any lazy route adds to both.
 */
const homeLimit = '160 kB';
const machineLimit = '20 kB';
const routeLimit = '65 kB';

const manifest = JSON.parse(readFileSync('dist/page/.vite/manifest.json', 'utf8'));

/** A chunk with everything that it imports statically. */
const closure = (key, seen = new Set()) => {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) closure(next, seen);
  return seen;
};

const files = (keys) => [...keys].map((key) => `dist/page/${manifest[key].file}`);

/** What the table of pages loads, by journey: its machine and its step. */
const pages = Object.fromEntries(
  [
    ...readFileSync('src/app/pages.ts', 'utf8').matchAll(
      /(\w+): \{\s+machine: async \(\) => \(await import\('\.\/(.+)'\)\)\.\1,\s+step: \(\) => import\('#steps\/(.+)'\)/g,
    ),
  ].map(([, journey, ports, step]) => [journey, [`src/app/${ports}`, `src/steps/${step}`]]),
);

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const first = closure(entry);
const host = 'src/app/StepHost.tsx';
const machine = 'src/app/run.ts';
const always = new Set([...first, ...closure(machine)]);
const journeys = Object.keys(pages);
if (journeys.length === 0) throw new Error('No journeys were found in src/app/pages.ts');

const parts = new Set([...Object.values(pages).flat(), host, machine]);
const others = Object.keys(manifest).filter(
  (key) => manifest[key].isDynamicEntry && !first.has(key) && !parts.has(key),
);

const beyond = (name, keys) => ({
  name: `beyond these: ${name}`,
  path: files(new Set(keys.flatMap((key) => [...closure(key)]).filter((part) => !always.has(part)))),
  limit: routeLimit,
  gzip: true,
});

export default [
  { name: 'first visit of the home page', path: files(first), limit: homeLimit, gzip: true },
  {
    name: 'the console’s machine',
    path: files([...always].filter((part) => !first.has(part))),
    limit: machineLimit,
    gzip: true,
  },
  // A journey's route loads the host, its step and its machine.
  ...journeys.map((id) => beyond(id, [host, ...pages[id]])),
  ...others.map((key) => beyond(key, [key])),
];
