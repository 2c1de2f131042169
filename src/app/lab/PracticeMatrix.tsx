import { Box, chakra, Text } from '@chakra-ui/react';
import { useNavigate } from 'react-router-dom';
import { practiceFaults } from '#runner/practice.ts';
import type { Scenario } from '#runner/scenarios.ts';
import { useOutcomes } from '../runs/outcomes.ts';
import { playScenario } from '../runs/rehearsals.ts';
import { usePlaying } from '../runs/runStorage.ts';
import { matrixOf, type Cell, type CellState } from './practiceCells.ts';

/** On a narrow page each operation has its own lines of cells, which name their faults. */
const Line = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'repeat(2, minmax(0, 1fr))', md: '7.5rem repeat(7, minmax(0, 1fr))' },
    gap: '1.5',
    alignItems: 'center',
    fontSize: 'xs',
    lineHeight: 'xs',
  },
});

const box = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'center',
  gap: '1',
  minHeight: '34px',
  width: 'full',
  px: '1',
  borderRadius: 'md',
  fontSize: 'xs',
  textAlign: 'center',
  overflowWrap: 'anywhere',
} as const;

const CellButton = chakra('button', {
  base: {
    ...box,
    cursor: 'pointer',
    bg: 'bg.muted',
    color: 'fg.muted',
    _hover: { outline: '1px solid', outlineColor: 'border.control' },
    borderWidth: '1px',
    borderColor: 'transparent',
    '&[data-state=passed]': { bg: 'done.subtle', color: 'done' },
    '&[data-state=failed]': { bg: 'failed.subtle', color: 'failed' },
    '&[data-state=running]': { bg: 'waiting.subtle', color: 'waiting' },
  },
});

const signs: Readonly<Record<Exclude<CellState, 'none'> | 'running', readonly [sign: string, word: string]>> = {
  open: ['run', 'not run yet'],
  passed: ['✓', 'passed'],
  failed: ['✕ failed', 'failed'],
  running: ['…', 'running'],
};

const FaultName = ({ children }: { children: string }) => <chakra.span hideFrom="md">{children}:</chakra.span>;

function Possible(props: { cell: Cell; scenario: Scenario; operation: string; fault: string; onRun: () => void }) {
  const { cell, scenario, operation, fault, onRun } = props;
  const playing = usePlaying();
  const runs = playing?.state === 'running' && playing.rehearsal?.name === scenario.name;
  const state = runs ? 'running' : cell.state === 'none' ? 'open' : cell.state;
  const [sign, word] = signs[state];
  return (
    <CellButton
      type="button"
      data-state={state}
      aria-label={`${operation}, ${fault}: ${word}${cell.because && `, ${cell.because}`}. Run`}
      title={cell.because || scenario.shows}
      onClick={onRun}
    >
      <FaultName>{fault}</FaultName>
      {sign}
    </CellButton>
  );
}

/**
 * The matrix of operations and faults: a cell shows the last result of its scenario in this browser and runs it in
 * the background. Afterwards, the sequence of what happened opens.
 */
export function PracticeMatrix() {
  const navigate = useNavigate();
  const rows = matrixOf(useOutcomes());
  const run = (scenario: Scenario) => void playScenario((to) => void navigate(to), scenario);
  const failed = rows.flatMap(({ name, cells }) =>
    cells.flatMap(({ because }, index) => (because ? [`${name}, ${practiceFaults[index]?.name}: ${because}.`] : [])),
  );
  return (
    <Box display="grid" gap="1.5">
      <Line hideBelow="md" aria-hidden="true" color="fg.muted" fontWeight="medium" textAlign="center">
        <span />
        {practiceFaults.map(({ id, name }) => (
          <span key={id}>{name}</span>
        ))}
      </Line>
      {rows.map(({ id, name, cells }) => (
        <Line key={id} role="group" aria-label={name}>
          <Text as="span" fontSize="xs" gridColumn={{ base: '1 / -1', md: 'auto' }} pt={{ base: '2', md: '0' }}>
            {name}
          </Text>
          {cells.map((cell, index) => {
            const { scenario } = cell;
            const fault = practiceFaults[index]?.name ?? '';
            return scenario ? (
              <Possible key={fault} {...{ cell, scenario, fault }} operation={name} onRun={() => run(scenario)} />
            ) : (
              <Box
                key={fault}
                hideBelow="md"
                minHeight="34px"
                borderRadius="md"
                borderWidth="1px"
                borderStyle="dashed"
                title={`${fault} cannot happen here, or has no outcome to check`}
              />
            );
          })}
        </Line>
      ))}
      {failed.length > 0 && (
        <Box as="ul" listStyleType="none" color="failed" fontSize="sm" pt="2" overflowWrap="anywhere">
          {failed.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </Box>
      )}
    </Box>
  );
}
