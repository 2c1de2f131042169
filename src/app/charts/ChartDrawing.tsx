import type { KeyboardEvent, ReactNode } from 'react';
import type { Cause } from '#machines/lib/chart.ts';
import { labelFont, lineHeight, stateFont, type DrawnChart, type DrawnEdge, type DrawnState } from './drawnChart.ts';
import { kinds } from './stateKinds.ts';
import { Arrow, colour, Lines } from './parts.tsx';

const causes: Record<Cause, string> = {
  user: 'fg',
  answer: 'fg-muted',
  failure: 'failed',
  time: 'waiting',
  none: 'fg-muted',
};

interface Drawing {
  chart: DrawnChart;
  /** Id of the innermost active state; '' for none. */
  here?: string;
  /** Id of the selected state. */
  chosen?: string;
  /** Called with the id of a clicked state; if given, the states are buttons. */
  onChoose?: (state: string) => void;
  scale?: number;
  /** Rendered behind the chart. */
  children?: ReactNode;
}

function Edge({ edge: { from, to, line, transitions }, lit }: { edge: DrawnEdge; lit: boolean }) {
  const all = transitions.map(({ cause }) => cause);
  const stroke = lit ? 'accent' : all.every((cause) => cause === 'failure') ? 'failed' : 'fg-muted';
  return (
    <g data-edge={`${from} ${to}`}>
      <Arrow line={line} stroke={colour(stroke)} width={lit ? 2 : 1} dashed={all.every((cause) => cause === 'none')} />
      {transitions.map(
        ({ words, cause, label }) =>
          label && (
            <Lines
              key={words}
              lines={label.lines}
              room={label.width}
              x={label.x + label.width / 2}
              y={label.y + lineHeight - 3}
              size={labelFont}
              fill={colour(lit ? 'accent' : causes[cause])}
            />
          ),
      )}
    </g>
  );
}

function State(props: { state: DrawnState; lit: boolean; chosen: boolean; onChoose: (() => void) | undefined }) {
  const { state, lit, chosen, onChoose } = props;
  const { name, kind, box, initial, lines, alerts, description, invokes } = state;
  const { mark, word, stroke, fill, dashed } = kinds[kind];
  const sentence = `${name}, ${word}${lit ? ', you are here' : ''}: ${alerts?.join('; ') ?? description}`;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onChoose?.();
  };
  const button = onChoose && {
    role: 'button',
    tabIndex: 0,
    cursor: 'pointer',
    'aria-pressed': chosen,
    'aria-label': sentence,
    onClick: onChoose,
    onKeyDown,
  };
  const drawn = (
    <g data-state={state.id} data-kind={kind} aria-current={lit ? 'step' : undefined} {...button}>
      <title>{sentence}</title>
      <rect
        {...box}
        rx={kind === 'deciding' ? 14 : 4}
        fill={colour(lit ? 'accent-subtle' : fill)}
        stroke={colour(lit || chosen ? 'accent' : stroke)}
        strokeWidth={lit || chosen ? 3 : 1}
        strokeDasharray={dashed && !lit ? '4 3' : undefined}
      />
      {initial && <circle cx={box.x + 10} cy={box.y + 15} r={4} fill={colour('fg')} />}
      <Lines
        lines={[`${mark} ${name}`.trim()]}
        room={box.width - 34}
        x={box.x + box.width / 2}
        y={box.y + 19}
        size={stateFont}
        fill={colour('fg')}
        bold
      />
      {/* The name of the state's button has the same sentences, unwrapped. */}
      <Lines
        lines={lines}
        room={box.width - 10}
        x={box.x + box.width / 2}
        y={box.y + 36}
        size={labelFont}
        fill={colour('fg')}
        hidden={onChoose !== undefined}
      />
    </g>
  );
  // In a drawing that is opened by itself, a state leads to the chart of the machine that it invokes.
  return invokes === undefined || onChoose ? drawn : <a href={`${invokes}.svg`}>{drawn}</a>;
}

const surrounds = (outer: string, state: string): boolean => state === outer || state.startsWith(`${outer}.`);

/** Draws a chart from its layout, with the active state and its outgoing transitions highlighted. */
export function ChartDrawing({ chart, here = '', chosen = '', onChoose, scale = 1, children }: Drawing) {
  const { width, height, states, edges } = chart;
  // Highlighted lines are drawn last, so that no other line covers them.
  const ways = edges.map((edge) => ({ edge, lit: here !== '' && surrounds(edge.from, here) }));
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${height}`}
      width={width * scale}
      height={height * scale}
      role={onChoose ? 'group' : 'img'}
      aria-label={`Chart of ${chart.id}`}
    >
      {children}
      {states.map((state) => (
        <State
          key={state.id}
          state={state}
          lit={here !== '' && surrounds(state.id, here)}
          chosen={state.id === chosen}
          onChoose={onChoose && (() => onChoose(state.id))}
        />
      ))}
      {ways
        .sort((a, b) => Number(a.lit) - Number(b.lit))
        .map(({ edge, lit }) => (
          <Edge key={`${edge.from} ${edge.to}`} edge={edge} lit={lit} />
        ))}
    </svg>
  );
}
