import { lineHeight, type Line, type Point } from './drawn.ts';

/** One of the page's own colours; a drawing that stands alone brings them along. */
export const colour = (name: string): string => `var(--chakra-colors-${name})`;

/** Everywhere about as wide as the layout takes it to be (scripts/charts/text.ts). */
const drawingFont = "Helvetica, Arial, 'Liberation Sans', sans-serif";

/** Half the width of an arrow's head, in px. */
const head = 4;

function headOf(line: Line): string {
  const [[x, y], [fromX, fromY]] = [line.at(-1), line.at(-2)] as [Point, Point]; // a line has two ends
  const [dx, dy] = [Math.sign(x - fromX), Math.sign(y - fromY)];
  const corner = (side: number): string => `${x - 2 * head * dx + side * dy},${y - 2 * head * dy + side * dx}`;
  return `M${x},${y}L${corner(head)}L${corner(-head)}Z`;
}

/** A line with corners and an arrow's head at its end. */
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

/** Lines of text around the middle `x`, the first one on the line `y`; the page's own style sheet gives way to `style`. */
export function Lines(props: { lines: string[]; x: number; y: number; size: number; fill: string; bold?: boolean }) {
  const { lines, x, y, size, fill, bold = false } = props;
  const style = { fontFamily: drawingFont, fontSize: `${size}px`, fontWeight: bold ? 600 : 400 };
  return lines.map((line, index) => (
    <text key={index} x={x} y={y + index * lineHeight} style={style} fill={fill} textAnchor="middle">
      {line}
    </text>
  ));
}
