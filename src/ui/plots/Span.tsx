import { Box } from '@chakra-ui/react';
import { durationText } from '#rules/duration.ts';
import { marksOf, placeOn } from '#rules/waterfall.ts';

/** What a bar stands for. `page` is a call of the page, `moment` is a webhook. */
export type SpanKind = 'page' | 'write' | 'read' | 'moment';

const looks = {
  page: { borderWidth: '1px', borderColor: 'border.control', bg: 'bg' },
  write: { bg: 'accent' },
  read: { bg: 'plot.read' },
  failed: { bg: 'plot.failed' },
} as const;

const percent = (share: number): string => `${share * 100}%`;
/** A bar's length stands behind it, before it if it ends after the second place, in it if there is no room there either. */
const [early, late] = [0.22, 0.8];

/** When something began after the beginning of its interaction, and how long it took (ms), on a logarithmic scale up to `end`. */
export function Span(props: { offset: number; ms: number; kind: SpanKind; failed: boolean; end: number }) {
  const { offset, ms, kind, failed, end } = props;
  const isMoment = kind === 'moment';
  const [from, to] = [placeOn(end, offset), placeOn(end, isMoment ? offset : offset + ms)];
  const text = isMoment ? offset > 0 && `+${durationText(offset)}` : durationText(ms);
  const label = isMoment ? `after ${durationText(offset)}` : `started after ${durationText(offset)}, took ${durationText(ms)}`; // prettier-ignore
  const beside =
    to <= late
      ? { left: percent(to), ms: '2' }
      : from > early
        ? { right: percent(1 - from), me: '2' }
        : { right: percent(1 - to), me: '2', ...(kind !== 'page' && { color: 'bg' }) };

  return (
    <Box role="img" aria-label={label} position="relative" height="4" overflow="visible">
      <Box
        position="absolute"
        top={isMoment ? '4px' : '3px'}
        left={percent(from)}
        {...(isMoment
          ? { width: '8px', height: '8px', ms: '-4px', transform: 'rotate(45deg)', bg: failed ? 'plot.failed' : 'accent' }
          : { width: percent(to - from), minWidth: '3px', height: '10px', borderRadius: '2px', ...looks[failed ? 'failed' : kind] })} // prettier-ignore
        css={{ '@media (forced-colors: active)': { forcedColorAdjust: 'none', background: 'CanvasText' } }}
      />
      <Box position="absolute" top="0" lineHeight="16px" color={failed ? 'failed' : 'fg.muted'} {...beside}>
        {failed && '✕ '}
        {text}
      </Box>
    </Box>
  );
}

/** The names of a scale's marks, each at its place. */
export const SpanScale = ({ end }: { end: number }) => (
  <Box position="relative" height="4" aria-hidden="true">
    {marksOf(end).map((mark) => (
      <Box
        key={mark}
        as="span"
        position="absolute"
        left={percent(placeOn(end, mark))}
        transform="translateX(-100%)"
        whiteSpace="nowrap"
      >
        {durationText(mark)}
      </Box>
    ))}
  </Box>
);
