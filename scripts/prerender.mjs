/**
 * Renders each page as far as it needs no code of its own, and lists what each route loads, so that the server can tell the browser with the page instead
 * of letting it find out chunk by chunk. Follows the builds of the page and of src/app/prerender.tsx.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { env } from 'node:process';
import { built, closure, entry, manifest, routes } from './chunks.mjs';

env.NODE_ENV = 'production'; // before React is loaded
const rendered = await import('../dist/prerender/prerender.js');

const page = readFileSync('dist/page/index.html', 'utf8');
const [, noncePlaceholder] = /<meta property="csp-nonce" nonce="(.+?)">/.exec(page);
const put = (text, place, by) => {
  if (!text.includes(place)) throw new Error(`index.html has no ${place}`);
  return text.replace(place, () => by);
};
/** The addresses of what a page needs besides what index.html names, in the order in which they are used. */
const preloads = (route) => {
  const seen = closure(entry);
  const before = seen.size;
  closure(routes[route], seen);
  return [...seen].slice(before).map((key) => `/${manifest[key].file}`);
};
const loads = {
  '/journeys': preloads('charts'),
  '/timeline': preloads('timeline'),
  ...Object.fromEntries(['/sandbox', '/programs', '/run'].map((path) => [path, preloads('lab')])),
  ...Object.fromEntries(['/reference', '/drift'].map((path) => [path, preloads('description')])),
  ...Object.fromEntries(rendered.chartPaths.map((path) => [path, preloads('charts')])),
  ...Object.fromEntries(rendered.journeyPaths.map((path) => [path, preloads('steps')])),
};
writeFileSync(`${built}/routes.json`, JSON.stringify(loads));

const documentAt = async (path, environment) => {
  const { markup, styles } = await rendered.rendered(path, environment);
  const tags = Object.entries(styles).map(
    ([name, css]) => `<style data-emotion="${name}" nonce="${noncePlaceholder}">${css}</style>`,
  );
  const root = '<div id="root"></div>';
  const styled = put(page, '</head>', `${tags.join('\n')}</head>`);
  return put(styled, root, root.replace('></', `>${markup}</`));
};
// Pages that are the same until their code has loaded share a file.
const [chart] = rendered.chartPaths;
const files = { '/': 'home', [chart]: 'chart' };
for (const path of [...Object.keys(loads), '/']) {
  if (rendered.chartPaths.includes(path) && path !== chart) continue;
  const name = files[path] ?? path.slice(1);
  for (const environment of ['live', 'sandbox'])
    writeFileSync(`${built}/${name}.${environment}.html`, await documentAt(path, environment));
}
