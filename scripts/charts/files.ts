import { readdirSync } from 'node:fs';
import { createElement as h, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ChartDrawing } from '#app/drawings/ChartDrawing.tsx';
import { MapDrawing } from '#app/drawings/MapDrawing.tsx';
import { semanticTokens } from '#app/theme/tokens.ts';
import { withGatesFolded } from '#machines/chart.ts';
import { chartOf } from '#machines/chartOf.ts';
import { pollMachineOf } from '#machines/poll.ts';
import { arrives } from '#machines/port.ts';
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
export const folders = ['docs/charts', 'src/app/drawings/laidOut'];

/** The machine of every poll, as whoever invokes it sees it. */
export const pollMachine = pollMachineOf(arrives('The answer'), { isEnough: () => true });

/** Every machine that src/machines exports, and that of the polls, by its id. */
async function allMachines(): Promise<AnyStateMachine[]> {
  const files = readdirSync('src/machines', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.machine.ts'),
  );
  const modules = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ `../../src/machines/${file}`) as Promise<object>),
  );
  return [pollMachine, ...modules.flatMap((module) => Object.values(module) as unknown[])]
    .filter((exported): exported is AnyStateMachine => exported instanceof StateMachine)
    .sort((a, b) => a.id.localeCompare(b.id));
}

/** Every generated file by its path: drawing and layout of each machine and of the map, and an index to read. */
export async function chartFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const add = (id: string, layout: object, drawing: ReactElement) => {
    files.set(`docs/charts/${id}.svg`, `${renderToStaticMarkup(drawing)}\n`);
    files.set(`src/app/drawings/laidOut/${id}.json`, `${JSON.stringify(layout)}\n`);
  };
  const map = mapLaidOut();
  add('map', map, h(MapDrawing, { map }, paper));
  for (const machine of await allMachines()) {
    const whole = chartOf(machine);
    const chart = await laidOut(whole);
    add(chart.id, chart, h(ChartDrawing, { chart }, paper));
    const folded = withGatesFolded(whole);
    if (folded !== whole)
      files.set(`src/app/drawings/laidOut/${chart.id}.folded.json`, `${JSON.stringify(await laidOut(folded))}\n`);
  }
  return files.set('docs/charts/README.md', indexOf());
}
