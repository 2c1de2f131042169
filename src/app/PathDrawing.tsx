import { chakra } from '@chakra-ui/react';
import type { GuidedRow } from './guidedRows.ts';

/** Distance between two stops, in units of the drawing. */
const step = 40;

const token = (name: string) => `var(--chakra-colors-${name})`;

/** The guided path as a line with a stop for each step: filled once done, ringed where the user is. */
export function PathDrawing({ rows }: { rows: readonly GuidedRow[] }) {
  const done = rows.filter(({ tone }) => tone === 'done').length;
  const end = (rows.length - 1) * step;
  const next = rows.findIndex(({ tone }) => tone === 'next');
  return (
    <chakra.svg
      role="img"
      aria-label={`${done} of ${rows.length} steps are done`}
      viewBox={`-14 -14 ${end + 28} 28`}
      width="full"
      maxWidth="40rem"
      height="auto"
    >
      <line x1={0} x2={end} y1={0} y2={0} stroke={token('border')} strokeWidth={2} />
      <line x1={0} x2={next < 0 ? end : next * step} y1={0} y2={0} stroke={token('done')} strokeWidth={2} />
      {rows.map(({ id, name, tone }, index) => (
        <g key={id}>
          <title>{name}</title>
          {tone === 'next' && (
            <circle cx={index * step} r={12} fill={token('accent-subtle')} stroke={token('accent')} />
          )}
          <circle
            cx={index * step}
            r={6}
            fill={tone === 'done' ? token('done') : token('bg')}
            stroke={token(tone === 'next' ? 'accent' : tone)}
            strokeWidth={2}
          />
        </g>
      ))}
    </chakra.svg>
  );
}
