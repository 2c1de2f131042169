import { useLayoutEffect, useRef, type CSSProperties } from 'react';
import { lineHeight, type Line, type Point } from './drawnChart.ts';

/** The CSS variable of a theme colour; an exported drawing defines these variables itself. */
export const colour = (name: string): string => `var(--chakra-colors-${name})`;

/** A font whose text width is close to the one that the layout assumes (scripts/charts/text.ts) on all systems. */
const drawingFont = "Helvetica, Arial, 'Liberation Sans', sans-serif";

/** Half the width of an arrowhead, in px. */
const head = 4;

function headOf(line: Line): string {
  const [[x, y], [fromX, fromY]] = [line.at(-1), line.at(-2)] as [Point, Point]; // a line has two ends
  const [dx, dy] = [Math.sign(x - fromX), Math.sign(y - fromY)];
  const corner = (side: number): string => `${x - 2 * head * dx + side * dy},${y - 2 * head * dy + side * dx}`;
  return `M${x},${y}L${corner(head)}L${corner(-head)}Z`;
}

/** A polyline with an arrowhead at its end. */
export function Arrow({
  line,
  stroke,
  width = 1,
  dashed = false,
}: {
  line: Line;
  stroke: string;
  width?: number;
  dashed?: boolean;
}) {
  return (
    <>
      <path
        d={`M${line.map((point) => point.join(',')).join('L')}`}
        fill="none"
        stroke={stroke}
        strokeWidth={width}
        strokeDasharray={dashed ? '4 3' : undefined}
      />
      <path d={headOf(line)} fill={stroke} />
    </>
  );
}

/**
 * Narrows a text to `room`, in px: the system's font may be wider than the one that the layout assumes. Unknown without a
 * browser, and in jsdom.
 */
function useFitted(room: number | undefined) {
  const text = useRef<SVGTextElement>(null);
  useLayoutEffect(() => {
    const element = text.current;
    if (!element || room === undefined || !('getComputedTextLength' in element)) return;
    element.removeAttribute('textLength');
    if (element.getComputedTextLength() <= room) return;
    element.setAttribute('textLength', String(room));
    element.setAttribute('lengthAdjust', 'spacingAndGlyphs');
  });
  return text;
}

/**
 * Lines of text centred on `x`, the first one with its baseline at `y`. Font, size and weight are set by `style`, which
 * overrides the page's style sheet. No line is wider than `room`.
 */
export function Lines(props: {
  lines: string[];
  room: number;
  x: number;
  y: number;
  size: number;
  fill: string;
  bold?: boolean;
  /** Hidden from assistive technology, which reads the same elsewhere. */
  hidden?: boolean;
}) {
  const { lines, room, x, y, size, fill, bold = false, hidden = false } = props;
  const style = { fontFamily: drawingFont, fontSize: `${size}px`, fontWeight: bold ? 600 : 400 };
  return lines.map((line, index) => (
    <TextLine key={index} room={room} x={x} y={y + index * lineHeight} style={style} fill={fill} hidden={hidden}>
      {line}
    </TextLine>
  ));
}

function TextLine(props: {
  room: number;
  x: number;
  y: number;
  style: CSSProperties;
  fill: string;
  hidden: boolean;
  children: string;
}) {
  const { room, hidden, children, ...text } = props;
  return (
    <text ref={useFitted(room)} {...text} textAnchor="middle" aria-hidden={hidden || undefined}>
      {children}
    </text>
  );
}
