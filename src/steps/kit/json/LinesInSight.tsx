import { chakra } from '@chakra-ui/react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, type ReactNode, type RefObject } from 'react';
import { lineHeight } from './JsonLine.tsx';
import type { Line } from './lines.ts';

/** Lines that are drawn beyond those in sight. */
const beyond = 20;
/** The longest text that decides about the width, in characters. */
const widest = 2100;

const lengthOf = ({ depth, name = '', text }: Line): number =>
  2 * depth + name.length + Math.min(text.length, widest) + 8;

/** Those of many lines that are in sight of the frame in which they scroll; `sight` is the index of one to be shown. */
export function LinesInSight(props: {
  lines: readonly Line[];
  frame: RefObject<HTMLElement | null>;
  frameHeight: number;
  sight: number | undefined;
  draw: (line: Line, index: number, top: number) => ReactNode;
}) {
  const { lines, frame, frameHeight, sight, draw } = props;
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are called here, and not handed on
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => lineHeight,
    initialRect: { width: 0, height: frameHeight },
    overscan: beyond,
  });
  useEffect(() => {
    if (sight !== undefined) rows.scrollToIndex(sight);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only when another line is to be shown
  }, [sight]);
  const columns = useMemo(() => lines.reduce((most, line) => Math.max(most, lengthOf(line)), 0), [lines]);
  return (
    <chakra.div position="relative" minWidth="full" style={{ height: rows.getTotalSize(), width: `${columns}ch` }}>
      {rows.getVirtualItems().map(({ index, start }) => draw(lines[index]!, index, start)) /* of so many lines */}
    </chakra.div>
  );
}
