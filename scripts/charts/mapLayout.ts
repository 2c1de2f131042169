import { stateFont, type Box, type DrawnMap, type Line } from '#app/charts/drawnChart.ts';
import {
  journeyOf,
  journeyOrder,
  nameOf,
  phaseBeside,
  phases,
  providing,
  type JourneyId,
  type Phase,
} from '#machines/journeys.ts';
import { textWidth } from './text.ts';

interface Link {
  from: JourneyId;
  to: JourneyId;
  gate: boolean;
}

/** What has to come before a journey, and what sensibly does. */
function linksTo(to: JourneyId): Link[] {
  const { requires, after } = journeyOf(to);
  const gates = new Set(requires.flatMap((need) => providing(need) ?? []));
  const soft = (after as readonly JourneyId[]).filter((id) => !gates.has(id)); // ids of other journeys
  return [...[...gates].map((from) => ({ from, to, gate: true })), ...soft.map((from) => ({ from, to, gate: false }))];
}

/** The links without those that a chain of others implies: the map shows the way, not every reason for it. */
function links(): Link[] {
  const all = journeyOrder.flatMap(linksTo);
  const before = (id: JourneyId): JourneyId[] =>
    all.flatMap(({ from, to }) => (to === id ? [from, ...before(from)] : []));
  return all.filter(({ from, to }) => !all.some((other) => other.to === to && before(other.from).includes(from)));
}

/** Sizes in px. */
const margin = 12;
const head = 40;
const box = 44;
const row = box + 14;
/** From a phase's edge to its journeys, and between phases, where the arrows from one to the next run. */
const padding = 10;
const gutter = 28;
/** How far in from its box an arrow leaves a journey downwards, and how far beyond that the next box may begin. */
const leave = 10;
const beyond = 14;
/** Between two arrows that enter a journey. */
const apart = 10;

interface Placed {
  id: JourneyId;
  phase: Phase;
  box: Box;
}

/** The journeys of a phase from top to bottom: those that stand alone come last. */
function rowsOf(phase: Phase, edges: readonly Link[]): JourneyId[] {
  const all = journeyOrder.filter((id) => phaseBeside(id) === phase);
  const isLinked = (id: JourneyId) => edges.some(({ from, to }) => from === id || to === id);
  return [...all.filter(isLinked), ...all.filter((id) => !isLinked(id))];
}

/** The journeys of a phase as steps of a stair: each begins to the right of every arrow that leads past it or into it. */
function stair(phase: Phase, edges: readonly Link[], left: number): Placed[] {
  const rows = rowsOf(phase, edges);
  const at = (id: JourneyId) => rows.indexOf(id);
  const placed: Placed[] = [];
  for (const [index, id] of rows.entries()) {
    const past = edges.filter(({ from, to }) => at(from) >= 0 && at(from) < index && at(to) >= index);
    const trunks = past.map(({ from }) => placed[at(from)]!.box.x + leave); // it stands above
    const x = Math.max(left, ...trunks.map((trunk) => trunk + beyond));
    const width = textWidth(nameOf(id), stateFont) + 16;
    placed.push({ id, phase, box: { x, y: margin + head + index * row, width, height: box } });
  }
  return placed;
}

/** From the right side of a journey into the left one of a journey of the next phase, or down and into one of the same. */
function lineFrom(from: Placed, to: Placed, y: number, gutterAt: number): Line {
  const [x, middle] = [from.box.x + from.box.width, from.box.y + box / 2];
  if (from.phase === to.phase) {
    const trunk = from.box.x + leave;
    return [[trunk, from.box.y + box], [trunk, y], [to.box.x, y]]; // prettier-ignore
  }
  return middle === y ? [[x, y], [to.box.x, y]] : [[x, middle], [gutterAt, middle], [gutterAt, y], [to.box.x, y]]; // prettier-ignore
}

/** Finds a place for every journey: phases from left to right; the same registry always gets the same. */
export function mapLaidOut(): DrawnMap {
  const edges = links();
  const placed: Placed[] = [];
  const columns: DrawnMap['phases'] = [];
  let x = margin;
  for (const phase of phases) {
    const journeys = stair(phase, edges, x + padding);
    const right = Math.max(...journeys.map(({ box: { x: start, width } }) => start + width)) + padding;
    columns.push({ name: phase, box: { x, y: margin, width: right - x, height: 0 } });
    placed.push(...journeys);
    x = right + gutter;
  }
  const height = Math.max(...placed.map(({ box: { y } }) => y)) + box + padding;
  const of = (id: JourneyId) => placed.find((each) => each.id === id)!; // every journey has a phase
  return {
    width: x - gutter + margin,
    height: height + margin,
    phases: columns.map(({ name, box: column }) => ({ name, box: { ...column, height: height - margin } })),
    journeys: placed.map(({ id, box: place }) => ({ id, box: place })),
    edges: edges.map((edge) => {
      const [from, to] = [of(edge.from), of(edge.to)];
      const into = edges.filter((other) => other.to === edge.to);
      const y = to.box.y + box / 2 + (into.indexOf(edge) - (into.length - 1) / 2) * apart;
      const column = columns.find(({ name }) => name === to.phase)!; // all phases have one
      return { ...edge, line: lineFrom(from, to, y, column.box.x - gutter / 2) };
    }),
  };
}
