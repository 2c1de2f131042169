import type { FailureCode } from '#contract/problem.ts';
import type { Chart } from '#machines/lib/chart.ts';
import { nameOf, type JourneyId } from '#machines/journeys.ts';
import { practice, practiceFaults } from '#runner/practice.ts';
import type { Scenario } from '#runner/scenarios.ts';
import type { SeenStates } from '../console/seenStates.ts';

/** A line of the sheet: a state, failure or scenario in words. */
interface Line {
  name: string;
  met: boolean;
}

/** A part of the sheet, such as the states of a journey. */
export interface Part {
  title: string;
  lines: readonly Line[];
}

interface Known {
  /** The charts of the journeys, in the order of the sheet. */
  charts: readonly { journey: JourneyId; chart: Chart }[];
  /** All failures, by their codes, with their causes. */
  failures: Readonly<Record<FailureCode, { cause: string }>>;
  /**
   * The scenarios with the result of the last rehearsal: '' if it was right, otherwise what went wrong; undefined if it
   * was not rehearsed.
   */
  scenarios: readonly { name: string; because: string | undefined }[];
}

/** The states in which a journey can be seen: innermost ones, except those that are left immediately. */
const seenStates = ({ states }: Chart) =>
  states.filter(({ id, kind }) => kind !== 'deciding' && !states.some(({ parent }) => parent === id));

/** Builds the readiness sheet: capabilities, failures, scenarios, then the states of each journey. */
export function sheetOf({ states, failures }: SeenStates, known: Known): Part[] {
  const isMet = (journey: JourneyId, id: string) => states[journey]?.includes(id) ?? false;
  const ends = (chart: Chart) => {
    const done = seenStates(chart).filter(({ kind }) => kind === 'done');
    // A journey without an end counts as done once one of its open states was seen.
    return done.length > 0 ? done : seenStates(chart).filter(({ kind }) => kind === 'open');
  };
  return [
    {
      title: 'Capabilities: journeys done, or shown',
      lines: known.charts.map(({ journey, chart }) => ({
        name: nameOf(journey),
        met: ends(chart).some(({ id }) => isMet(journey, id)),
      })),
    },
    {
      title: 'Failures',
      lines: Object.entries(known.failures).map(([code, { cause }]) => ({
        name: cause,
        met: failures.includes(code as FailureCode), // the table's own keys
      })),
    },
    {
      title: 'Passed scenarios',
      lines: known.scenarios.map(({ name, because }) => ({ name, met: because === '' })),
    },
    ...known.charts.map(({ journey, chart }) => ({
      title: `States of ${nameOf(journey)}`,
      lines: seenStates(chart).map(({ id, name, description }) => ({
        name: description || name,
        met: isMet(journey, id),
      })),
    })),
  ];
}

export const metOf = ({ lines }: Part): number => lines.filter(({ met }) => met).length;

/** The result of a scenario of the matrix. */
export type CellState = 'passed' | 'failed' | 'open' | 'none';

/** A cell of the matrix of operations and faults: what went wrong in it, '' for nothing. */
export interface Cell {
  scenario: Scenario | null;
  state: CellState;
  because: string;
}

export interface MatrixRow {
  id: string;
  name: string;
  cells: readonly Cell[];
}

/** The matrix of operations and faults with the last outcome of each scenario. */
export const matrixOf = (outcomes: Readonly<Partial<Record<string, { because: string }>>>): MatrixRow[] =>
  practice.map(({ id, name, cells }) => ({
    id,
    name,
    cells: cells.map((scenario) => {
      const outcome = scenario && outcomes[scenario.id];
      const because = outcome?.because ?? '';
      return { scenario, because, state: !scenario ? 'none' : !outcome ? 'open' : because ? 'failed' : 'passed' };
    }),
  }));

/** The number of cells of the matrix in a state; without one, of all that have a scenario. */
export const countOf = (rows: readonly MatrixRow[], state?: CellState): number =>
  rows.flatMap(({ cells }) => cells).filter((cell) => (state ? cell.state === state : cell.scenario)).length;

const cellTexts: Readonly<Record<CellState, string>> = {
  passed: '✓ passed',
  failed: '✕ failed',
  open: 'not run',
  none: '–',
};

const tableOf = (rows: readonly MatrixRow[]): string =>
  [
    ['Operation', ...practiceFaults.map(({ name }) => name)],
    ['---', ...practiceFaults.map(() => '---')],
    ...rows.map(({ name, cells }) => [
      name,
      ...cells.map(({ state, because }) => cellTexts[state] + (because && `: ${because}`)),
    ]),
  ]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '/')).join(' | ')} |`)
    .join('\n');

/** The sheet with the matrix as Markdown; `at` is the ISO time of its creation. */
export const sheetMarkdown = (sheet: readonly Part[], rows: readonly MatrixRow[], at: string): string =>
  [
    '# Readiness',
    `Seen in this browser until ${at}.`,
    `## Operations and faults (${countOf(rows, 'passed')} of ${countOf(rows)})`,
    tableOf(rows),
    ...sheet.flatMap((part) => [
      `## ${part.title} (${metOf(part)} of ${part.lines.length})`,
      part.lines.map(({ name, met }) => `- [${met ? 'x' : ' '}] ${name}`).join('\n'),
    ]),
    '',
  ].join('\n\n');
