import { Box, chakra, Text } from '@chakra-ui/react';
import type { TimelineEntry } from '#contract/timeline.ts';
import { useTimeline } from '../api/useTimeline.ts';
import { addressOf, durationOf, statusOf, timeOf } from './format.ts';

/** The participants from left to right, and the positions of their lifelines. */
const parties = ['Browser', 'Console', 'Service'] as const;
const xOf = (party: number): number => 120 + party * 310;
const width = 800;
const rowHeight = 34;
const top = 40;

/** One arrow from one participant to another. */
interface Arrow {
  entry: TimelineEntry;
  from: number;
  to: number;
  at: number;
  label: string;
  answer: boolean;
}

/** The arrows of an interaction in chronological order. A call that began first and ended last encloses the others. */
export function arrowsOf(entries: readonly TimelineEntry[]): Arrow[] {
  return entries
    .flatMap((entry): Arrow[] => {
      const began = Date.parse(entry.at);
      const { kind, method, ms } = entry;
      const [from, to] = kind === 'call' ? [0, 1] : kind === 'service' || kind === 'program' ? [1, 2] : [2, 1];
      const asked = `${kind === 'webhook' ? 'webhook' : method} ${addressOf(entry)}`;
      const answered =
        entry.status === 0 ? 'no response' : `${statusOf(entry)}${ms > 0 ? ` after ${durationOf(ms)}` : ''}`;
      return [
        { entry, from, to, at: began, label: asked, answer: false },
        { entry, from: to, to: from, at: began + ms, label: answered, answer: true },
      ];
    })
    .sort((a, b) => a.at - b.at || Number(a.entry.id) - Number(b.entry.id));
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function Lines({ arrows, onOpen }: { arrows: readonly Arrow[]; onOpen: (id: string) => void }) {
  const began = arrows[0]?.at ?? 0;
  return arrows.map(({ entry, from, to, at, label, answer }, index) => {
    const [x1, x2] = [xOf(from), xOf(to)];
    const y = top + 30 + index * rowHeight;
    const tip = x2 > x1 ? -7 : 7;
    const colour = answer && (entry.status === 0 || entry.status >= 400) ? 'failed' : 'fg';
    return (
      <chakra.g key={index} color={colour} cursor="pointer" onClick={() => onOpen(entry.id)}>
        <title>{label}</title>
        <line x1={x1} y1={y} x2={x2} y2={y} stroke="currentColor" strokeDasharray={answer ? '4 3' : undefined} />
        <path d={`M${x2} ${y} l${tip} -4 v8 z`} fill="currentColor" />
        <chakra.text x={0} y={y + 4} fontSize="11" fill="fg.muted">
          +{durationOf(at - began)}
        </chakra.text>
        <text x={(x1 + x2) / 2} y={y - 5} textAnchor="middle" fontSize="11" fill="currentColor">
          {cut(label, 43)}
        </text>
      </chakra.g>
    );
  });
}

/** An interaction as a sequence diagram, with the same content as text. */
export function Sequence({ interactionId, onOpen }: { interactionId: string; onOpen: (id: string) => void }) {
  const { entries } = useTimeline({ id: interactionId }, 100);
  const own = entries.filter((entry) => entry.interactionId === interactionId).reverse();
  const arrows = arrowsOf(own);
  const { journey = '', step = '' } = own.find((entry) => entry.journey !== '') ?? {};
  const height = top + 40 + arrows.length * rowHeight;
  return (
    <Box as="section" aria-label="Sequence" overflow="auto" minHeight="0" px="5" py="3">
      <Text color="fg.muted" fontSize="sm" pb="2">
        Interaction {interactionId}
        {journey && `, requested by ${journey} in ${step}`}
      </Text>
      <chakra.svg
        viewBox={`0 0 ${width} ${height}`}
        width="full"
        maxWidth="60rem"
        minWidth="36rem"
        role="img"
        aria-label="Sequence diagram of the interaction; the list below says the same"
        fontFamily="mono"
      >
        {parties.map((party, index) => (
          <chakra.g key={party} color="fg.muted">
            <line x1={xOf(index)} y1={top} x2={xOf(index)} y2={height} stroke="currentColor" strokeOpacity="0.4" />
            <text x={xOf(index)} y={top - 12} textAnchor="middle" fontSize="13" fill="currentColor">
              {party}
            </text>
          </chakra.g>
        ))}
        <Lines arrows={arrows} onOpen={onOpen} />
      </chakra.svg>
      <chakra.details fontSize="sm" pt="2">
        <chakra.summary cursor="pointer" minHeight="6">
          In words
        </chakra.summary>
        <Box as="ol" listStyleType="decimal" ps="6">
          {arrows.map(({ entry, from, to, at, label }, index) => (
            <li key={index}>
              {timeOf(new Date(at).toISOString())} {parties[from]} to {parties[to]}:{' '}
              <chakra.button textDecoration="underline" cursor="pointer" onClick={() => onOpen(entry.id)}>
                {label}
              </chakra.button>
            </li>
          ))}
        </Box>
      </chakra.details>
    </Box>
  );
}
