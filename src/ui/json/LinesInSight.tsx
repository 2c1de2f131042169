import { chakra } from '@chakra-ui/react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useState, type ReactNode, type RefObject } from 'react';
import { lineHeight } from './JsonLine.tsx';
import type { Line } from './lines.ts';

/** Additional lines drawn before the first and after the last visible line. */
const beyond = 20;
/** Maximum number of characters of a text that count towards the width. */
const widest = 2100;

/** The size of 1 rem in px: the user's font size. */
const remNow = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

const lengthOf = ({ depth, name = '', text }: Line): number =>
  2 * depth + name.length + Math.min(text.length, widest) + 8;

/** Renders only the lines that are visible in the scrolling `frame`; `sight` is the index of the line to scroll to. */
export function LinesInSight(props: {
  lines: readonly Line[];
  frame: RefObject<HTMLElement | null>;
  frameHeight: number;
  sight: number | undefined;
  draw: (line: Line, index: number, top: number) => ReactNode;
}) {
  const { lines, frame, frameHeight, sight, draw } = props;
  const [rem] = useState(remNow);
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are called here, and not handed on
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => lineHeight * rem,
    initialRect: { width: 0, height: frameHeight * rem },
    overscan: beyond,
  });
  useEffect(() => {
    if (sight === undefined) return;
    // A line far away comes to the middle: part of the frame may be below the window.
    const { startIndex, endIndex } = rows.range ?? { startIndex: sight, endIndex: sight };
    const isNear = sight >= startIndex - 2 && sight <= endIndex + 2;
    rows.scrollToIndex(sight, { align: isNear ? 'auto' : 'center' });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only when another line is to be shown
  }, [sight]);
  const columns = useMemo(() => lines.reduce((most, line) => Math.max(most, lengthOf(line)), 0), [lines]);
  return (
    <chakra.div position="relative" minWidth="full" style={{ height: rows.getTotalSize(), width: `${columns}ch` }}>
      {rows.getVirtualItems().map(({ index, start }) => draw(lines[index]!, index, start))}
    </chakra.div>
  );
}
