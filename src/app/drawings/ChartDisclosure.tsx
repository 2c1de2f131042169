import { chakra } from '@chakra-ui/react';
import { lazy, Suspense, useState } from 'react';
import type { AnyMachineSnapshot, StateValue } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';
import { chunk } from '#steps/kit/chunk.ts';
import { Skeleton } from '#steps/kit/Skeleton.tsx';
import { ErrorBoundary } from '../ErrorBoundary.tsx';

const LiveChart = lazy(() => chunk(async () => ({ default: (await import('./LiveChart.tsx')).LiveChart })));

/** The names of the active states from the outermost inwards; the charts have no parallel ones. */
function idOf(value: StateValue): string {
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .flatMap(([outer, inner]) => (inner ? `${outer}.${idOf(inner)}` : outer))
    .join('.');
}

/** Opens the chart below a step; it is loaded only then. */
export function ChartDisclosure({ id, snapshot }: { id: JourneyId; snapshot: AnyMachineSnapshot }) {
  const [open, setOpen] = useState(false);
  return (
    <chakra.details borderTopWidth="1px" pt="3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <chakra.summary cursor="pointer" minHeight="6" width="fit-content">
        Chart of this journey
      </chakra.summary>
      {open && (
        <ErrorBoundary>
          <Suspense fallback={<Skeleton lines={6} />}>
            <LiveChart id={id} here={idOf(snapshot.value as StateValue)} />
          </Suspense>
        </ErrorBoundary>
      )}
    </chakra.details>
  );
}
