import { Box, Button, Flex, Link } from '@chakra-ui/react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { nameOf, type JourneyId } from '#machines/journeys.ts';
import { showWithin } from '#ui/showWithin.ts';
import { ChartDrawing } from './ChartDrawing.tsx';
import type { DrawnChart } from './drawnChart.ts';
import { chartOf } from './layouts.ts';
import { StateDetails } from './TransitionLine.tsx';
import { Stack } from '#ui/surfaces.tsx';

/** The zoom factor of one click on + or −, and the limits of the zoom. */
const step = 1.25;
const [smallest, largest] = [0.25, 3];

/** The actual scale of a fitted chart, where zooming starts. It depends on the frame's width. */
const fitted = (frame: HTMLElement | null, { width }: DrawnChart): number =>
  Math.min(1, (frame?.clientWidth ?? width) / width);

/** The scale below which a fitted chart cannot be read: it opens at its own size then, at the current state. */
const readable = 0.75;

/**
 * The chart with the current state highlighted, fitted to the width or at the chosen scale. Opens so that the current
 * state and its neighbours can be read.
 */
function Fitted(props: {
  chart: DrawnChart;
  id: JourneyId;
  here: string;
  chosen: string;
  onChoose: (state: string) => void;
}) {
  const { chart, id, here, chosen, onChoose } = props;
  const frame = useRef<HTMLDivElement>(null);
  /** The chosen scale; undefined means fitted to the width. */
  const [size, setSize] = useState<number>();
  useLayoutEffect(() => {
    const room = frame.current?.clientWidth ?? 0;
    if (room > 0 && fitted(frame.current, chart) < readable) setSize(1);
  }, [chart]);
  useEffect(() => {
    const lit = frame.current?.querySelector('[aria-current=step]');
    if (lit) showWithin(lit, true);
  }, [here, size, chart]);
  const zoom = (by: number) => {
    const next = (size ?? fitted(frame.current, chart)) * by;
    setSize(Math.min(largest, Math.max(smallest, next)));
  };
  return (
    <>
      <Flex gap="1" px="5" py="2" justify="end" align="center" position="absolute" top="1" insetInlineEnd="0">
        <Button size="sm" variant="outline" type="button" aria-label="Smaller" onClick={() => zoom(1 / step)}>
          −
        </Button>
        <Button size="sm" variant="outline" type="button" aria-label="Larger" onClick={() => zoom(step)}>
          +
        </Button>
        <Button
          size="sm"
          variant="outline"
          type="button"
          aria-pressed={size === undefined}
          onClick={() => setSize(undefined)}
        >
          Fit
        </Button>
      </Flex>
      <Box
        ref={frame}
        role="region"
        aria-label={`Chart of ${nameOf(id)}`}
        tabIndex={0}
        overflow="auto"
        maxHeight="60dvh"
        mx="5"
        bg="bg"
        borderWidth="1px"
        borderRadius="md"
        css={{
          '& svg': {
            display: 'block',
            marginInline: 'auto',
            height: 'auto',
            ...(size === undefined ? { maxWidth: '100%' } : { width: `${chart.width * size}px`, maxWidth: 'none' }),
          },
        }}
      >
        <ChartDrawing chart={chart} here={here} chosen={chosen} onChoose={onChoose} />
      </Box>
    </>
  );
}

/** The journey's chart, fitted to the width. */
export function ChartTab({ id, here }: { id: JourneyId; here: string }) {
  const [chosen, setChosen] = useState('');
  const chart = chartOf(id);
  const transitions = useMemo(
    () => chart.edges.flatMap(({ from, to, transitions: all }) => all.map((one) => ({ ...one, from, to }))),
    [chart],
  );
  const at = chart.states.find((state) => state.id === here);
  if (!at) throw new Error(`The chart of ${id} is stale: run npm run charts`);
  const looked = chart.states.find((state) => state.id === chosen) ?? at;
  return (
    <Stack position="relative" pb="5" gap="3">
      <Flex px="5" pt="3" gap="3" minHeight="10" align="center" wrap="wrap" fontSize="sm">
        <Link asChild>
          <RouterLink to={`/journeys/${id}?${new URLSearchParams({ at: here }).toString()}`}>
            Open this chart on its page
          </RouterLink>
        </Link>
      </Flex>
      <Fitted chart={chart} id={id} here={here} chosen={looked.id} onChoose={setChosen} />
      <Box px="5">
        <StateDetails chart={{ ...chart, transitions }} here={at} chosen={looked} />
      </Box>
    </Stack>
  );
}
