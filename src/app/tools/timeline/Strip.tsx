import { Box, chakra } from '@chakra-ui/react';
import { useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { counted } from '#rules/counted.ts';
import { stripOf } from '#rules/traffic.ts';
import { Bars } from '#ui/plots/Bars.tsx';
import { clockTime } from '#ui/dates.ts';
import { useNow } from '#ui/ticks.ts';
import { useWholeTimeline } from '#app/client/useTimeline.ts';
import { filterOf, type Filter } from './timelineFilter.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const timeAt = (ms: number): string => clockTime(new Date(ms));

/** An end of the chosen range: moved by dragging it, or by the arrow keys. */
const Handle = chakra('div', {
  base: {
    position: 'absolute',
    top: '0',
    bottom: '0',
    width: '3',
    ms: '-6px',
    borderRadius: '3px',
    bg: 'accent',
    cursor: 'ew-resize',
    '@media (forced-colors: active)': { background: 'Highlight', forcedColorAdjust: 'none' },
  },
});

/** The place of the strip above the entries. */
const Frame = chakra('div', {
  base: { display: { base: 'none', md: 'block' }, px: '5', pt: '2', borderBottomWidth: '1px' },
});

interface Props {
  look: Filter;
  onLook: (change: Partial<Filter>) => void;
}

/** The traffic of the last minutes above the entries; a dragged range filters them, a press ends that. */
export function Strip({ look, onLook }: Props) {
  const { entries, state } = useWholeTimeline({ ...filterOf({ ...look, from: '', to: '' }), brief: 'true' });
  const now = useNow();
  const strip = useMemo(() => stripOf(entries, now), [entries, now]);
  const area = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<readonly [number, number] | null>(null);
  // As high as the strip, so that nothing moves when the entries arrive.
  if (!strip)
    return (
      <Frame>
        <Box height="10" display="grid" placeItems="center" fontSize="sm" color="fg.muted">
          {state === 'loading' ? '' : 'No traffic yet.'}
        </Box>
        <Box height="5" borderTopWidth="1px" />
      </Frame>
    );
  const { from, to, length, bins } = strip;
  const timeOf = ({ clientX }: PointerEvent): number => {
    const { left, width } = area.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    const share = Math.min(1, Math.max(0, (clientX - left) / width));
    return Math.round((from + share * (to - from)) / length) * length;
  };
  const chosen = drag ?? (look.from && look.to ? ([Date.parse(look.from), Date.parse(look.to)] as const) : null);
  const range = chosen && ([Math.min(...chosen), Math.max(...chosen)] as const);
  const choose = ([begin, end]: readonly [number, number]) =>
    onLook(begin < end ? { from: iso(begin), to: iso(end) } : { from: '', to: '' });
  const finish = () => {
    if (range) choose(range);
    setDrag(null);
  };
  const shareOf = (ms: number): number => Math.min(1, Math.max(0, (ms - from) / (to - from)));
  const onKey = (index: 0 | 1) => (event: KeyboardEvent) => {
    const step = { ArrowLeft: -length, ArrowRight: length }[event.key];
    if (!step || !range) return;
    event.preventDefault();
    const [begin, end] = range;
    choose(index === 0 ? [Math.min(begin + step, end - length), end] : [begin, Math.max(end + step, begin + length)]);
  };
  const total = entries.filter(({ at }) => Date.parse(at) >= from).length;
  const failed = bins.reduce((sum, bin) => sum + bin.failed, 0);
  const most = Math.max(...bins.map((bin) => bin.total));
  const label = `${counted(total, 'call')} from ${timeAt(from)} to ${timeAt(to)}, at most ${most} in ${Math.max(1, Math.round(length / 1000))} s${failed > 0 ? `; ${failed} failed` : ''}`;
  return (
    <Frame>
      <Box
        ref={area}
        position="relative"
        height="10"
        cursor="crosshair"
        touchAction="none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const at = timeOf(event);
          setDrag([at, at]);
        }}
        onPointerMove={(event) => drag && setDrag([drag[0], timeOf(event)])}
        onPointerUp={finish}
        onPointerCancel={() => setDrag(null)}
      >
        {range && (
          <Box
            position="absolute"
            insetBlock="0"
            bg="accent.subtle"
            style={{ left: `${shareOf(range[0]) * 100}%`, width: `${(shareOf(range[1]) - shareOf(range[0])) * 100}%` }}
          />
        )}
        <Box role="img" aria-label={label} position="absolute" inset="0" top="-3">
          <Bars columns={bins.map((bin) => ({ key: bin.from, ...bin, title: `${timeAt(bin.from)}: ${bin.total}` }))} />
        </Box>
        {range &&
          ([0, 1] as const).map((index) => (
            <Handle
              key={index}
              role="slider"
              tabIndex={0}
              aria-label={index === 0 ? 'Begin of the range' : 'End of the range'}
              aria-valuemin={from}
              aria-valuemax={to}
              aria-valuenow={range[index]}
              aria-valuetext={timeAt(range[index])}
              style={{ left: `${shareOf(range[index]) * 100}%` }}
              onKeyDown={onKey(index)}
              onPointerDown={(event) => {
                event.stopPropagation();
                area.current?.setPointerCapture(event.pointerId);
                setDrag(index === 0 ? [range[1], range[0]] : [range[0], range[1]]);
              }}
            />
          ))}
      </Box>
      <Box
        display="flex"
        justifyContent="space-between"
        height="5"
        fontSize="xs"
        lineHeight="xs"
        pt="0.5"
        color="fg.muted"
        fontVariantNumeric="tabular-nums"
        borderTopWidth="1px"
      >
        <span>{timeAt(from)}</span>
        {range && (
          <chakra.button
            type="button"
            color="accent"
            cursor="pointer"
            title="Show all times"
            onClick={() => onLook({ from: '', to: '' })}
          >
            {timeAt(range[0])} to {timeAt(range[1])} <span aria-hidden="true">✕</span>
          </chakra.button>
        )}
        <span>{timeAt(to)}</span>
      </Box>
    </Frame>
  );
}
