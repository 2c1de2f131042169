import ELK, { type ElkExtendedEdge, type ElkLabel, type ElkNode, type ElkShape } from 'elkjs/lib/elk.bundled.js';
import {
  labelFont,
  lineHeight,
  stateFont,
  type Box,
  type DrawnChart,
  type DrawnEdge,
  type DrawnState,
  type Line,
} from '#app/charts/drawnChart.ts';
import type { Chart, ChartState, ChartTransition } from '#machines/lib/chart.ts';
import { textWidth, wrapped } from './text.ts';

const elk = new ELK();

/** Short lines keep drawings narrow, so that they are legible in a document. */
const labelLetters = 15;
const alertLetters = 24;

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.spacing.nodeNode': '12',
  'elk.spacing.edgeNode': '8',
  'elk.spacing.edgeEdge': '7',
  'elk.spacing.edgeLabel': '3',
  'elk.layered.spacing.nodeNodeBetweenLayers': '28',
  'elk.layered.spacing.edgeNodeBetweenLayers': '12',
  'elk.layered.considerModelOrder.strategy': 'PREFER_EDGES',
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.layered.layering.strategy': 'LONGEST_PATH_SOURCE',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.edgeLabels.centerLabelPlacementStrategy': 'TAIL_LAYER',
  'elk.padding': '[top=12,left=12,bottom=12,right=12]',
};
const inner = { ...options, 'elk.padding': '[top=34,left=14,bottom=14,right=14]' };

/** The arrows of a chart: transitions by where they lead from and to. */
function bundled(transitions: readonly ChartTransition[]): Map<string, ChartTransition[]> {
  const bundles = new Map<string, ChartTransition[]>();
  for (const transition of transitions) {
    const key = `${transition.from} -> ${transition.to}`;
    bundles.set(key, [...(bundles.get(key) ?? []), transition]);
  }
  return bundles;
}

/** The alerts of a gate, each as a numbered item where there are several; the machine that a state invokes. */
const linesOf = ({ alerts = [], invokes }: ChartState): string[] => [
  ...alerts.flatMap((alert, index) => wrapped(alerts.length > 1 ? `${index + 1}. ${alert}` : alert, alertLetters)),
  ...(invokes === undefined ? [] : [`↗ ${invokes}`]),
];

const endOf = (state: string): string => `into ${state}`;

function nodeOf(chart: Chart, state: ChartState): ElkNode {
  const children = chart.states.filter(({ parent }) => parent === state.id);
  const lines = linesOf(state);
  const width = Math.max(
    textWidth(state.name, stateFont) + 52,
    ...lines.map((line) => textWidth(line, labelFont) + 24),
  );
  return {
    id: state.id,
    width,
    height: 30 + lines.length * lineHeight + (lines.length > 0 ? 4 : 0),
    // Whatever leaves the page comes together in one line.
    ...(state.kind === 'left' && { ports: [{ id: endOf(state.id) }] }),
    ...(children.length > 0 && { layoutOptions: inner, children: children.map((child) => nodeOf(chart, child)) }),
  };
}

/** Where several share an arrow a dot says where each begins. */
function labelOf({ words }: ChartTransition, _: number, { length }: readonly unknown[]): ElkLabel[] {
  if (words === '') return [];
  const lines = wrapped(length > 1 ? `• ${words}` : words, labelLetters);
  const width = Math.max(...lines.map((line) => textWidth(line, labelFont)));
  return [{ text: lines.join('\n'), width, height: lines.length * lineHeight }];
}

const boxOf = ({ x = 0, y = 0, width = 0, height = 0 }: ElkShape): Box => ({
  x: Math.round(x),
  y: Math.round(y),
  width: Math.round(width),
  height: Math.round(height),
});

function lineOf({ sections: [section] = [] }: ElkExtendedEdge): Line {
  if (!section) throw new Error('An edge has no line');
  return [section.startPoint, ...(section.bendPoints ?? []), section.endPoint].map(
    ({ x, y }) => [Math.round(x), Math.round(y)] as const,
  );
}

/** Every node of a laid out graph by its id, with its place. */
function placesIn({ children = [] }: ElkNode): [string, Box][] {
  return children.flatMap((child) => [[child.id, boxOf(child)] as [string, Box], ...placesIn(child)]);
}

/** Finds a place for every state and arrow of a chart; the same chart always gets the same. */
export async function laidOut(chart: Chart): Promise<DrawnChart> {
  const bundles = bundled(chart.transitions);
  const ends = new Set(chart.states.flatMap(({ id, kind }) => (kind === 'left' ? [id] : [])));
  const graph = await elk.layout({
    id: chart.id,
    layoutOptions: options,
    children: chart.states.filter(({ parent }) => parent === '').map((state) => nodeOf(chart, state)),
    edges: [...bundles].map(([id, transitions]) => ({
      id,
      sources: transitions.slice(0, 1).map(({ from }) => from),
      targets: transitions.slice(0, 1).map(({ to }) => (ends.has(to) ? endOf(to) : to)),
      labels: transitions.flatMap(labelOf),
    })),
  });
  const places = new Map(placesIn(graph));
  const states = chart.states.map((state): DrawnState => {
    const box = places.get(state.id);
    if (!box) throw new Error(`${state.id} has no place`);
    return { ...state, box, lines: linesOf(state) };
  });
  const edges = (graph.edges ?? []).map((edge): DrawnEdge => {
    const labels = [...(edge.labels ?? [])];
    const transitions = bundles.get(edge.id) ?? [];
    return {
      from: transitions.map(({ from }) => from)[0] ?? '',
      to: transitions.map(({ to }) => to)[0] ?? '',
      line: lineOf(edge),
      transitions: transitions.map(({ event, cause, words }) => {
        const label = words === '' ? undefined : labels.shift();
        return {
          event,
          cause,
          words,
          label: label ? { ...boxOf(label), lines: (label.text ?? '').split('\n') } : null,
        };
      }),
    };
  });
  const { width, height } = boxOf(graph);
  return { id: chart.id, width, height, states, edges };
}
