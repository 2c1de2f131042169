import { chartOf } from '#machines/lib/chartOf.ts';
import { journeyOrder } from '#machines/journeys.ts';
import { scenarios } from '#runner/scenarios.ts';
import { failures } from '#ui/failures.ts';
import { saveFile } from '#ui/saveFile.ts';
import { useSeenStates } from '../console/seenStates.ts';
import { suppliedJourneys } from '../effects/journeys.ts';
import { useOutcomes } from '../runs/outcomes.ts';
import { matrixOf, sheetOf, sheetMarkdown, type MatrixRow, type Part } from './readinessSheet.ts';

type Charts = Parameters<typeof sheetOf>[1]['charts'];

const charts: Charts = journeyOrder.map((journey) => ({ journey, chart: chartOf(suppliedJourneys[journey].machine) }));

/** The readiness sheet of this browser, its matrix of operations and faults, and the function that saves both. */
export function useReadinessSheet(): { sheet: readonly Part[]; rows: readonly MatrixRow[]; save: () => void } {
  const met = useSeenStates();
  const outcomes = useOutcomes();
  const rehearsed = scenarios.map(({ id, name }) => ({ name, because: outcomes[id]?.because }));
  const sheet = sheetOf(met, { charts, failures, scenarios: rehearsed });
  const rows = matrixOf(outcomes);
  const save = () => saveFile(sheetMarkdown(sheet, rows, new Date().toISOString()), 'readiness.md', 'text/markdown');
  return { sheet, rows, save };
}
