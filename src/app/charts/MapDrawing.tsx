import type { ReactNode } from 'react';
import { nameOf, type JourneyId, isExpired, journeyOf, reason, wasDone } from '#machines/journeys.ts';
import { stateFont, type Box, type DrawnMap } from './drawnChart.ts';
import { Arrow, colour, Lines } from './parts.tsx';
import type { Facts } from '#contract/facts.ts';
import { hasRecordFailed } from '#machines/outcome.ts';
import type { Tone } from '#ui/Badge.tsx';
import { rowResult } from '../frame/guidedRows.ts';

/** The state of a journey, independent of the guided path's next step. */
export interface JourneyStatus {
  tone: Tone;
  word: 'Done' | 'Failed' | 'Expired' | 'Open' | 'Blocked';
  /** What was created, what is missing, or what the journey does. */
  explanation: string;
}

export function journeyStatusOf(id: JourneyId, facts: Facts): JourneyStatus {
  if (isExpired(id, facts)) return { tone: 'idle', word: 'Expired', explanation: rowResult(id, facts) };
  if (wasDone(id, facts) && hasRecordFailed(id, facts))
    return { tone: 'failed', word: 'Failed', explanation: rowResult(id, facts) };
  if (wasDone(id, facts)) return { tone: 'done', word: 'Done', explanation: rowResult(id, facts) };
  const blocked = reason(id, facts);
  return blocked
    ? { tone: 'blocked', word: 'Blocked', explanation: blocked }
    : { tone: 'next', word: 'Open', explanation: journeyOf(id).summary };
}

/** Larger than the labels of charts, because the map is fitted to the width of the page. */
const statusFont = 12;

const looks: Record<JourneyStatus['word'], { mark: string; stroke: string; fill: string }> = {
  Done: { mark: '✓', stroke: 'done', fill: 'done-subtle' },
  Failed: { mark: '✕', stroke: 'failed', fill: 'failed-subtle' },
  Expired: { mark: '○', stroke: 'fg-muted', fill: 'bg' },
  Open: { mark: '→', stroke: 'accent', fill: 'bg' },
  Blocked: { mark: '∅', stroke: 'waiting', fill: 'waiting-subtle' },
};

function Journey({ name, box, standing }: { name: string; box: Box; standing: JourneyStatus | undefined }) {
  const { mark, stroke, fill } = standing ? looks[standing.word] : { mark: '', stroke: 'fg-muted', fill: 'bg' };
  const middle = box.x + box.width / 2;
  return (
    <>
      <rect {...box} rx={4} fill={colour(fill)} stroke={colour(stroke)} />
      <Lines
        lines={[name]}
        room={box.width - 10}
        x={middle}
        y={box.y + (standing ? 19 : 27)}
        size={stateFont}
        fill={colour('fg')}
        bold
      />
      {standing && (
        <Lines
          lines={[`${mark} ${standing.word}`]}
          room={box.width - 10}
          x={middle}
          y={box.y + 35}
          size={statusFont}
          fill={colour(stroke)}
        />
      )}
    </>
  );
}

/**
 * The journeys and their order. A solid line is a gate, a dashed one a recommended order. `link` wraps a journey in a
 * link, `standing` returns its state.
 */
export function MapDrawing(props: {
  map: DrawnMap;
  standing?: (id: JourneyId) => JourneyStatus;
  link?: (id: JourneyId, children: ReactNode) => ReactNode;
  children?: ReactNode;
}) {
  const { map, standing, link = (_, children) => children } = props;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${map.width} ${map.height}`}
      width={map.width}
      height={map.height}
      role={props.link ? 'group' : 'img'}
      aria-label="Map of the journeys"
    >
      {props.children}
      {map.phases.map(({ name, box }) => (
        <g key={name}>
          <rect {...box} rx={8} fill={colour('bg')} stroke={colour('border')} />
          <Lines
            lines={[name]}
            room={box.width - 10}
            x={box.x + box.width / 2}
            y={box.y + 24}
            size={stateFont}
            fill={colour('fg-muted')}
            bold
          />
        </g>
      ))}
      {map.edges.map(({ from, to, line, gate }) => (
        <g key={`${from} ${to}`} data-edge={`${from} ${to}`}>
          <Arrow line={line} stroke={colour('fg-muted')} dashed={!gate} />
        </g>
      ))}
      {map.journeys.map(({ id, box }) => (
        <g key={id} data-journey={id}>
          {link(id, <Journey name={nameOf(id)} box={box} standing={standing?.(id)} />)}
        </g>
      ))}
    </svg>
  );
}
