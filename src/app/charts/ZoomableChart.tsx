import { Button, Flex } from '@chakra-ui/react';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { showWithin } from '#ui/showWithin.ts';
import { ChartDrawing } from './ChartDrawing.tsx';
import { chartName, type ChartId } from './chartNames.ts';
import { Drawing } from './Drawing.tsx';
import type { DrawnChart } from './drawnChart.ts';

/** The zoom factor of one click on + or −, and the limits of the zoom. */
const step = 1.25;
const [smallest, largest] = [0.25, 3];

/** The actual scale of a fitted chart, where zooming starts. It depends on the frame's width. */
const fitted = (frame: HTMLElement | null, { width }: DrawnChart): number =>
  Math.min(1, (frame?.clientWidth ?? width) / width);

/** The scale below which a fitted chart cannot be read: it opens at its own size then, at the current state. */
const readable = 0.75;

/**
 * The chart of a journey, fitted to the width or at the chosen scale, with the buttons that change the scale. That of a
 * running journey opens so that the current state, which is highlighted, and its neighbours can be read; any other is
 * shown whole. The children stand beside the
 * buttons.
 */
export function ZoomableChart(props: {
  chart: DrawnChart;
  id: ChartId;
  /** The state where it opens; highlighted with its transitions if the journey runs and is there (`runs`). */
  at: string;
  runs?: boolean;
  chosen: string;
  onChoose: (state: string) => void;
  children: ReactNode;
}) {
  const { chart, id, at, runs = false, chosen, onChoose, children } = props;
  const frame = useRef<HTMLDivElement>(null);
  /** The chosen scale; undefined means fitted to the width. */
  const [size, setSize] = useState<number>();
  useLayoutEffect(() => {
    const room = frame.current?.clientWidth ?? 0;
    if (runs && room > 0 && fitted(frame.current, chart) < readable) setSize(1);
  }, [chart, runs]);
  useEffect(() => {
    const lit = frame.current?.querySelector(`[data-state="${at}"]`);
    if (lit && (runs || size !== undefined)) showWithin(lit, true);
  }, [at, runs, size, chart]);
  const zoom = (by: number) => {
    const next = (size ?? fitted(frame.current, chart)) * by;
    setSize(Math.min(largest, Math.max(smallest, next)));
  };
  return (
    <>
      <Flex gap="2" align="center" justify="space-between" wrap="wrap">
        {children}
        <Flex gap="1" ms="auto">
          <Button size="sm" type="button" aria-label="Smaller" onClick={() => zoom(1 / step)}>
            −
          </Button>
          <Button size="sm" type="button" aria-label="Larger" onClick={() => zoom(step)}>
            +
          </Button>
          <Button size="sm" type="button" aria-pressed={size === undefined} onClick={() => setSize(undefined)}>
            Fit
          </Button>
        </Flex>
      </Flex>
      <Drawing
        ref={frame}
        maxHeight={runs ? '60dvh' : 'none'}
        label={`Chart of ${chartName(id)}`}
        css={{
          '& > svg': {
            display: 'block',
            marginInline: 'auto',
            ...(size === undefined ? { maxWidth: '100%', height: 'auto' } : { maxWidth: 'none' }),
          },
        }}
      >
        <ChartDrawing chart={chart} here={runs ? at : ''} chosen={chosen} onChoose={onChoose} scale={size ?? 1} />
      </Drawing>
    </>
  );
}
