import { built, closure, entry, manifest, routes } from './scripts/chunks.mjs';

/** kB of gzip: what every page loads, the page as it is sent, and what each route adds. */
const homeLimit = '205 kB';
const pageLimit = '20 kB';
const routeLimits = {
  steps: '158.6 kB',
  charts: '37 kB',
  timeline: '23 kB',
  lab: '19 kB',
  description: '6.5 kB',
  palette: '23 kB',
};

const files = (keys) => [...keys].map((key) => `dist/page/${manifest[key].file}`);

const first = closure(entry);
const steps = closure(routes.steps);

export default [
  { name: 'what every page loads', path: files(first), limit: homeLimit, gzip: true },
  { name: 'the home page with its styles', path: `${built}/home.live.html`, limit: pageLimit, gzip: true },
  ...Object.entries(routes).map(([name, key]) => ({
    name: `beyond these: ${name}`,
    path: files([...closure(key)].filter((part) => !first.has(part) && (name === 'steps' || !steps.has(part)))),
    limit: routeLimits[name],
    gzip: true,
  })),
];
