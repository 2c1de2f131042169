import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createElement as h, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ChartDrawing } from '#app/charts/ChartDrawing.tsx';
import { isChart } from '#app/charts/chartNames.ts';
import { MapDrawing } from '#app/charts/MapDrawing.tsx';
import { semanticTokens } from '#app/theme/tokens.ts';
import type { DrawnChart } from '#app/charts/drawnChart.ts';
import type { Chart } from '#machines/lib/chart.ts';
import { journeyOrder } from '#machines/journeys.ts';
import { chartOf } from './chartOf.ts';
import { StateMachine, type AnyStateMachine } from 'xstate';
import { indexOf } from './index.ts';
import { laidOut } from './layout.ts';
import { mapLaidOut } from './mapLayout.ts';

type Shades = { value: { _light: string; _dark: string } };

/** The page's colours in one of its modes, under the names that a drawing uses. */
const coloursFor = (mode: keyof Shades['value']): string =>
  Object.entries(semanticTokens.colors)
    .flatMap(([name, shades]) =>
      Object.entries(shades).map(
        ([shade, { value }]: [string, Shades]) =>
          `--chakra-colors-${name}${shade === 'DEFAULT' ? '' : `-${shade}`}:${value[mode]};`,
      ),
    )
    .join('');

/** What a drawing needs when it is opened by itself: colours that follow the system, and paper. */
const paper = [
  h(
    'style',
    { key: 'colours' },
    `:root{${coloursFor('_light')}}@media (prefers-color-scheme:dark){:root{${coloursFor('_dark')}}}`,
  ),
  h('rect', { key: 'paper', width: '100%', height: '100%', fill: 'var(--chakra-colors-bg)' }),
];

/** Where all files are generated ones. */
export const folder = 'docs/charts';

/** The layouts of the charts that the page shows, slow to make: one line each. */
export const layoutsFile = 'scripts/charts/layouts.json';

/** Every machine that src/machines exports, by its id; of those with one id, which one chart makes, one. */
async function allMachines(): Promise<AnyStateMachine[]> {
  const files = readdirSync('src/machines', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.machine.ts'),
  );
  const modules = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ `../../src/machines/${file}`) as Promise<object>),
  );
  const exported = modules
    .flatMap((module) => Object.values(module) as unknown[])
    .filter((each): each is AnyStateMachine => each instanceof StateMachine);
  return [...new Map(exported.map((machine) => [machine.id, machine])).values()].sort((a, b) =>
    a.id.localeCompare(b.id),
  );
}

/** What decides where a state or an arrow lies, besides the charts themselves. */
const decisive = [
  ...['layout.ts', 'text.ts'].map((file) => `scripts/charts/${file}`),
  'src/app/charts/drawnChart.ts',
  'node_modules/elkjs/package.json',
];

/** What a chart draws besides its words: machines with the same shape share a drawing. */
const shapeOf = ({ states, transitions }: Chart): string =>
  JSON.stringify([
    states.map(({ id, kind }) => [id, kind]),
    transitions.map(({ from, to, event }) => [from, to, event]),
  ]);

const drawingOf = (name: string): string => `${folder}/${name}.svg`;

const textOf = (layouts: ReadonlyMap<string, object>): string =>
  `{\n${[...layouts].map(([name, layout]) => `"${name}": ${JSON.stringify(layout)}`).join(',\n')}\n}\n`;

/**
 * Every generated file by its path: the layouts for the page, the drawing of each machine and of the map, and an index to
 * read, which has a digest of everything that layouts are made from. `kept`: takes the layouts as they were written last,
 * which is right as long as the digest is; so are the drawings of the charts that the page does not show.
 */
export async function chartFiles({ kept = false } = {}): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const layouts = new Map<string, object>();
  const written = kept ? (JSON.parse(readFileSync(layoutsFile, 'utf8')) as Record<string, DrawnChart>) : {}; // by this
  const digest = createHash('sha256');
  for (const file of decisive) digest.update(readFileSync(file));
  const draw = (name: string, drawing: ReactElement) =>
    files.set(drawingOf(name), `${renderToStaticMarkup(drawing)}\n`);
  const map = mapLaidOut();
  layouts.set('map', map);
  draw('map', h(MapDrawing, { map }, paper));
  /** The machine whose drawing stands for all that have the same states and transitions. */
  const shownAs = new Map<string, string>();
  const shown = new Map<string, string>();
  const machines = await allMachines();
  for (const id of [...journeyOrder, ...machines.map((machine) => machine.id)]) {
    const machine = machines.find((each) => each.id === id);
    if (!machine || shown.has(id)) continue;
    const chart = chartOf(machine);
    digest.update(JSON.stringify(chart));
    const same = shapeOf(chart);
    shownAs.set(same, shownAs.get(same) ?? id);
    shown.set(id, shownAs.get(same) ?? id);
    const layout = kept ? written[id] : await laidOut(chart);
    if (!layout) {
      if (shown.get(id) === id) files.set(drawingOf(id), readFileSync(drawingOf(id), 'utf8'));
      continue;
    }
    if (isChart(id)) layouts.set(id, layout);
    if (shown.get(id) === id) draw(id, h(ChartDrawing, { chart: layout }, paper));
  }
  return files.set(layoutsFile, textOf(layouts)).set(`${folder}/README.md`, indexOf(shown, digest.digest('hex')));
}
