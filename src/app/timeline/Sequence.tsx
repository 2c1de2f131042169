import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { own } from '#contract/member.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { journeys, nameOf } from '#machines/journeys.ts';
import { withShortIds } from '#rules/shortId.ts';
import { Code } from '#ui/Code.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { useTimeline } from '../api/useTimeline.ts';
import { arrowsOf, recordOf, withFollowing, type Arrow } from './arrows.ts';
import { FaultOnArrow } from './FaultOnArrow.tsx';
import { durationOf, timeOf } from './format.ts';

/** Shown for calls that the timeline has dropped. */
const notStored = 'The calls of this interaction are no longer stored.';

/** The participants from left to right, and the positions of their lifelines. */
const parties = ['Browser', 'Console', 'Service'] as const;
const xOf = (party: number): number => 120 + party * 310;
const width = 800;
const rowHeight = 34;
const top = 40;

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const colourOf = ({ answer, entry: { status, kind } }: Arrow): string => {
  if (answer && (status === 0 || status >= 400)) return 'failed';
  return kind === 'webhook' ? 'accent' : 'fg';
};

function Lines(props: { arrows: readonly Arrow[]; chosen: number | undefined; onChoose: (index: number) => void }) {
  const { arrows, chosen, onChoose } = props;
  const began = arrows[0]?.at ?? 0;
  return arrows.map((arrow, index) => {
    const { from, to, at, label, answer } = arrow;
    const [x1, x2] = [xOf(from), xOf(to)];
    const y = top + 30 + index * rowHeight;
    const tip = x2 > x1 ? -7 : 7;
    return (
      <chakra.g key={index} color={colourOf(arrow)} cursor="pointer" onClick={() => onChoose(index)}>
        <title>{label}</title>
        <chakra.rect
          x={Math.min(x1, x2)}
          y={y - rowHeight / 2 - 2}
          width={Math.abs(x2 - x1)}
          height={rowHeight - 4}
          rx={4}
          fill={index === chosen ? 'accent.subtle' : 'transparent'}
        />
        <line
          {...{ x1, y1: y, x2, y2: y }}
          stroke="currentColor"
          strokeWidth={index === chosen ? 2 : 1}
          strokeDasharray={answer ? '4 3' : undefined}
        />
        <path d={`M${x2} ${y} l${tip} -4 v8 z`} fill="currentColor" />
        <chakra.text x={0} y={y + 4} fontSize="11" fill="fg.muted">
          +{durationOf(at - began)}
        </chakra.text>
        <text x={(x1 + x2) / 2} y={y - 5} textAnchor="middle" fontSize="11" fill="currentColor">
          {cut(withShortIds(label), 38)}
        </text>
      </chakra.g>
    );
  });
}

/** The chosen arrow: its message, and a fault to set for it. */
function Chosen(props: {
  arrow: Arrow;
  own: readonly TimelineEntry[];
  onOpen: (id: string) => void;
  onSent: (id: string) => void;
}) {
  const { arrow, own, onOpen, onSent } = props;
  const { entry, from, to, label } = arrow;
  return (
    <Box
      role="group"
      aria-label="Chosen arrow"
      position="sticky"
      top="0"
      bg="bg"
      borderWidth="1px"
      borderRadius="md"
      p="3"
      display="grid"
      gap="2"
    >
      <Flex gap="3" wrap="wrap" align="center">
        <Text fontSize="sm" overflowWrap="anywhere">
          {parties[from]} to {parties[to]}: <Code>{label}</Code>
        </Text>
        <Button size="sm" onClick={() => onOpen(entry.id)}>
          Open the message
        </Button>
      </Flex>
      <FaultOnArrow key={entry.id} entry={entry} own={own} onSent={onSent} />
    </Box>
  );
}

/**
 * An interaction as a sequence diagram, with the webhooks and polls that follow it, and with the same content as text.
 * On the sandbox, a chosen arrow takes a fault with which the call is sent again.
 */
export function Sequence(props: { interactionId: string; onOpen: (id: string) => void; onSent: (id: string) => void }) {
  const { interactionId, onOpen, onSent } = props;
  const { entries, state } = useTimeline({ id: interactionId }, 100);
  const [chosen, setChosen] = useState<number>();
  const calls = entries.filter((entry) => entry.interactionId === interactionId).reverse();
  const record = recordOf(calls);
  // Without a record, the same interaction is read, which adds nothing.
  const { entries: about } = useTimeline({ id: record || interactionId }, 100);
  const { entries: all, polls } = withFollowing(calls, record ? about : []);
  const arrows = arrowsOf(all, polls);
  const arrow = chosen === undefined ? undefined : arrows[chosen];
  const { journey = '' } = calls.find((entry) => entry.journey !== '') ?? {};
  const height = top + 40 + arrows.length * rowHeight;
  if (arrows.length === 0)
    return (
      <Box px="5" py="3">
        {state === 'loading' ? <Skeleton lines={6} /> : <Text color="fg.muted">{notStored}</Text>}
      </Box>
    );
  return (
    <Box as="section" aria-label="Sequence" overflow="auto" minHeight="0" px="5" py="3">
      <Text color="fg.muted" fontSize="sm" pb="2">
        Interaction {interactionId}
        {own(journeys, journey) && `, requested by ${nameOf(journey)}`}. Choose an arrow to open its message or to make
        it fail.
      </Text>
      {arrow && <Chosen arrow={arrow} own={calls} onOpen={onOpen} onSent={onSent} />}
      <chakra.svg
        viewBox={`0 0 ${width} ${height}`}
        width="full"
        maxWidth="60rem"
        minWidth="36rem"
        role="img"
        aria-label="Sequence diagram of the interaction; the list below says the same"
        translate="no"
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
        <Lines arrows={arrows} chosen={chosen} onChoose={setChosen} />
      </chakra.svg>
      <chakra.details fontSize="sm" pt="2">
        <chakra.summary cursor="pointer" minHeight="6">
          In words
        </chakra.summary>
        <Box as="ol" listStyleType="decimal" ps="6">
          {arrows.map(({ from, to, at, label }, index) => (
            <li key={index}>
              {timeOf(new Date(at).toISOString())} {parties[from]} to {parties[to]}:{' '}
              <chakra.button
                textDecoration="underline"
                cursor="pointer"
                aria-pressed={index === chosen}
                onClick={() => setChosen(index)}
              >
                {label}
              </chakra.button>
            </li>
          ))}
        </Box>
      </chakra.details>
    </Box>
  );
}
