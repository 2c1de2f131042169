import { practice } from '#runner/practice.ts';
import type { Scenario } from '#runner/scenarios.ts';

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
