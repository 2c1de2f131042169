import { readFileSync } from 'node:fs';

/** kB of gzip: the first visit of the home page, and what any lazy route adds to it. */
const homeLimit = '160 kB';
const routeLimit = '60 kB';

const manifest = JSON.parse(readFileSync('dist/page/.vite/manifest.json', 'utf8'));

/** A chunk with everything that it imports statically. */
const closure = (key, seen = new Set()) => {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) closure(next, seen);
  return seen;
};

const files = (keys) => [...keys].map((key) => `dist/page/${manifest[key].file}`);
const journeyOf = (key) => /^src\/steps\/.*Step\.tsx$|^src\/app\/live\/.*\.ts$/.test(key);

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const first = closure(entry);
// StepHost is lazy and comes with every journey; a journey adds its step and its live machine.
const host = closure('src/app/StepHost.tsx');
const routes = Object.keys(manifest).filter((key) => manifest[key].isDynamicEntry && !first.has(key));

export default [
  { name: 'first visit of the home page', path: files(first), limit: homeLimit, gzip: true },
  ...routes.map((key) => {
    const whole = journeyOf(key) ? new Set([...closure(key), ...host]) : closure(key);
    return {
      name: `beyond it: ${key}`,
      path: files([...whole].filter((part) => !first.has(part))),
      limit: routeLimit,
      gzip: true,
    };
  }),
];
