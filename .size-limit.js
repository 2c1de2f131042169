import { built, closure, entry, every, home, host, journeys, manifest } from './scripts/chunks.mjs';

/**
 * kB of gzip: the first chunk, which takes the page over; what every page loads beside that (the console's machine, the
 * client of its calls, the guided path); all that the home page loads; the page as it is sent; and what any lazy route adds
 * to the code.
 */
const firstLimit = '145 kB';
const everyLimit = '45 kB';
const homeLimit = '210 kB';
const pageLimit = '20 kB';
const routeLimit = '46 kB';

const files = (keys) => [...keys].map((key) => `dist/page/${manifest[key].file}`);

const first = closure(entry);
const always = new Set([...first, ...closure(every)]);

const parts = new Set([...Object.values(journeys).flat(), host, every]);
const others = Object.keys(manifest).filter(
  (key) => manifest[key].isDynamicEntry && !first.has(key) && !parts.has(key),
);

/** What is there before a part that imports from a route's own chunk: it is loaded from that route only. */
const before = (key) =>
  [...closure(key)]
    .filter((part) => part !== key && manifest[part].isDynamicEntry)
    .flatMap((part) => [...closure(part)]);

const beyond = (name, keys, there = []) => ({
  name: `beyond these: ${name}`,
  path: files(
    new Set(keys.flatMap((key) => [...closure(key)]).filter((part) => !always.has(part) && !there.includes(part))),
  ),
  limit: routeLimit,
  gzip: true,
});

export default [
  { name: 'the first chunk', path: files(first), limit: firstLimit, gzip: true },
  {
    name: 'what every page loads beside it',
    path: files([...always].filter((part) => !first.has(part))),
    limit: everyLimit,
    gzip: true,
  },
  {
    name: 'all that the home page loads',
    path: files(new Set([...always, ...home.flatMap((key) => [...closure(key)])])),
    limit: homeLimit,
    gzip: true,
  },
  { name: 'the home page with its styles', path: `${built}/home.live.html`, limit: pageLimit, gzip: true },
  // A journey's route loads the host, its step and its machine.
  ...Object.entries(journeys).map(([id, parts]) => beyond(id, [host, ...parts])),
  ...others.map((key) => beyond(key, [key], before(key))),
];
