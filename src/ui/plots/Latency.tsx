import { Box, chakra } from '@chakra-ui/react';

/** Median and 95th percentile (ms) of a span of time; undefined if nothing was answered in it. */
export type Spread = { median: number; p95: number } | undefined;

/** The scale is logarithmic, from 1 ms to 10 s. */
const [lowest, decades] = [1, 4];
const lines = [
  [10, '10 ms'],
  [1000, '1 s'],
] as const;

/** The place of a duration (ms), from 0 at the bottom to 1. */
export const heightOf = (ms: number): number =>
  Math.min(1, Math.max(0, Math.log10(Math.max(lowest, ms) / lowest) / decades));

const [width, height] = [600, 80];
const point = (index: number, count: number, ms: number): string =>
  `${(((index + 0.5) / count) * width).toFixed(1)},${((1 - heightOf(ms)) * height).toFixed(1)}`;

/** The neighbours that have a value, so that gaps stay gaps. */
export function runsOf(bins: readonly Spread[]): { index: number; spread: NonNullable<Spread> }[][] {
  const runs: { index: number; spread: NonNullable<Spread> }[][] = [];
  bins.forEach((spread, index) => {
    if (!spread) return;
    const last = runs.at(-1);
    if (last?.at(-1)?.index === index - 1) last.push({ index, spread });
    else runs.push([{ index, spread }]);
  });
  return runs;
}

const Svg = chakra('svg', { base: { position: 'absolute', insetInlineStart: '0', top: '3', height: '80px' } });

/** Median as a line, 95th percentile as a dashed one, from the left to the right; the room between them is filled. */
export function Latency({ bins }: { bins: readonly Spread[] }) {
  const at = (of: 'median' | 'p95', run: ReturnType<typeof runsOf>[number]) =>
    run.map(({ index, spread }) => point(index, bins.length, spread[of]));
  return (
    <>
      <Svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" width="calc(100% - 3rem)" aria-hidden="true">
        {lines.map(([ms]) => (
          <chakra.line
            key={ms}
            x1="0"
            x2={width}
            y1={(1 - heightOf(ms)) * height}
            y2={(1 - heightOf(ms)) * height}
            stroke="border"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {runsOf(bins).map((run) => {
          const [median, p95] = [at('median', run), at('p95', run)];
          const isPoint = run.length === 1;
          // A single value is drawn as a short stroke.
          const ends = (points: string[]) => (isPoint ? [...points, ...points.map((each) => each.replace(/^[\d.]+/, (x) => String(Number(x) + 6)))] : points); // prettier-ignore
          return (
            <g key={run[0]?.index}>
              <chakra.polygon points={[...p95, ...median.toReversed()].join(' ')} fill="accent.subtle" />
              <chakra.polyline
                points={ends(p95).join(' ')}
                fill="none"
                stroke="accent"
                strokeWidth="1.5"
                strokeDasharray="4 3"
                vectorEffect="non-scaling-stroke"
              />
              <chakra.polyline
                points={ends(median).join(' ')}
                fill="none"
                stroke="accent"
                strokeWidth="2"
                vectorEffect="non-scaling-stroke"
              />
            </g>
          );
        })}
      </Svg>
      {lines.map(([ms, label]) => (
        <Box
          key={ms}
          position="absolute"
          insetInlineEnd="0"
          fontSize="xs"
          lineHeight="xs"
          color="fg.muted"
          style={{ top: `${12 + (1 - heightOf(ms)) * height - 8}px` }}
        >
          {label}
        </Box>
      ))}
    </>
  );
}
