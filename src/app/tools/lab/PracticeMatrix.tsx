import { Box, chakra } from '@chakra-ui/react';
import { useNavigate } from 'react-router-dom';
import { practiceFaults } from '#runner/practice.ts';
import type { Scenario } from '#runner/scenarios.ts';
import { useOutcomes } from './outcomes.ts';
import { playScenario } from './rehearsals.ts';
import { usePlaying } from '#app/console/runStorage.ts';
import { Card } from '#ui/surfaces.tsx';
import { FoldedGroup, type Dot } from './FoldedGroup.tsx';
import { matrixOf, type Cell, type CellState, type MatrixRow } from './practiceCells.ts';

/** The operation that is unfolded before one was run: the one that moves money. */
const first = 'pay';

/** The id of the operation that was run last. */
function lastRun(rows: readonly MatrixRow[], outcomes: ReturnType<typeof useOutcomes>): string {
  let last = { id: first, at: '' };
  for (const { id, cells } of rows)
    for (const { scenario } of cells) {
      const at = (scenario && outcomes[scenario.id]?.at) ?? '';
      if (at > last.at) last = { id, at };
    }
  return last.id;
}

const Cells = chakra('div', {
  base: { display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(8.5rem, 1fr))', gap: '1.5', pb: '4' },
});

const CellButton = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '2',
    minHeight: '34px',
    px: '2.5',
    py: '1',
    borderRadius: 'md',
    fontSize: 'xs',
    lineHeight: 'xs',
    textAlign: 'start',
    overflowWrap: 'anywhere',
    cursor: 'pointer',
    bg: 'bg.muted',
    color: 'fg',
    _hover: { outline: '1px solid', outlineColor: 'border.control' },
    borderWidth: '1px',
    borderColor: 'transparent',
    '&[data-state=passed]': { bg: 'done.subtle', color: 'done' },
    '&[data-state=failed]': { bg: 'failed.subtle', color: 'failed' },
    '&[data-state=running]': { bg: 'waiting.subtle', color: 'waiting' },
  },
});

type Shown = Exclude<CellState, 'none'> | 'running';

const signs: Readonly<Record<Shown, readonly [sign: string, word: string, dot: Dot]>> = {
  open: ['▸', 'not run yet', 'idle'],
  passed: ['✓', 'passed', 'done'],
  failed: ['✕', 'failed', 'failed'],
  running: ['…', 'running', 'waiting'],
};

/** A cell with a scenario: the name of its fault, and the state in which it is shown. */
interface Possible {
  scenario: Scenario;
  fault: string;
  state: Shown;
  because: string;
}

/** The cells of an operation that have a scenario. */
function possibleOf(cells: readonly Cell[], running: string | undefined): Possible[] {
  return cells.flatMap(({ scenario, state, because }, index) => {
    if (!scenario || state === 'none') return [];
    const shown: Shown = scenario.name === running ? 'running' : state;
    return [{ scenario, fault: practiceFaults[index]?.name ?? '', state: shown, because }];
  });
}

/** "2 of 7 passed"; '' before one was run. */
function countOf(cells: readonly Possible[]): string {
  const number = (sought: Shown) => cells.filter(({ state }) => state === sought).length;
  const [passed, failed] = [number('passed'), number('failed')];
  if (failed > 0) return `${failed} failed`;
  return passed > 0 ? `${passed} of ${cells.length} passed` : '';
}

/** What went wrong in the cells that failed. */
function Failures({ cells }: { cells: readonly Possible[] }) {
  const failed = cells.filter(({ because }) => because !== '');
  if (failed.length === 0) return null;
  return (
    <Box as="ul" listStyleType="none" color="failed" fontSize="sm" pb="4" overflowWrap="anywhere">
      {failed.map(({ fault, because }) => (
        <li key={fault}>
          {fault}: {because}.
        </li>
      ))}
    </Box>
  );
}

/**
 * The matrix of operations and faults: an operation in each line, whose cells are unfolded. A cell shows the last result of its scenario in
 * this browser and runs it in the background. Afterwards, the sequence of what happened opens.
 */
export function PracticeMatrix() {
  const navigate = useNavigate();
  const outcomes = useOutcomes();
  const rows = matrixOf(outcomes);
  const opened = lastRun(rows, outcomes);
  const playing = usePlaying();
  const running = playing?.state === 'running' ? playing.rehearsal?.name : undefined;
  return (
    <Card p="0">
      {rows.map(({ id, name, cells }) => {
        const possible = possibleOf(cells, running);
        return (
          <FoldedGroup
            key={id}
            name={name}
            accordion="practice"
            open={id === opened}
            dots={possible.map(({ state }) => signs[state][2])}
            says={countOf(possible)}
          >
            <Cells role="group" aria-label={name}>
              {possible.map(({ scenario, fault, state, because }) => (
                <CellButton
                  key={fault}
                  type="button"
                  data-state={state}
                  aria-label={`${name}, ${fault}: ${signs[state][1]}${because && `, ${because}`}. Run`}
                  title={because || scenario.shows}
                  onClick={() => void playScenario((to) => void navigate(to), scenario)}
                >
                  {fault}
                  <span aria-hidden="true">{signs[state][0]}</span>
                </CellButton>
              ))}
            </Cells>
            <Failures cells={possible} />
          </FoldedGroup>
        );
      })}
    </Card>
  );
}
