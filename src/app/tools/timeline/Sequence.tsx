import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { own } from '#contract/member.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { journeys, nameOf } from '#machines/journeys.ts';
import { withShortIds } from '#rules/shortId.ts';
import { Code } from '#ui/Code.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { keyOf } from '#rules/timeline.ts';
import { useTimeline, useWholeTimeline } from '#app/client/useTimeline.ts';
import { arrowsOf, parties, recordOf, recordTold, withFollowing, type Arrow } from './arrows.ts';
import { FaultOnArrow } from './FaultOnArrow.tsx';
import { durationOf, timeOf } from './format.ts';

/** Shown for calls that the timeline has dropped. */
const notStored = 'The calls of this interaction are no longer stored.';

/** Width of the drawing, and where its first and its last lifeline are. */
const width = 800;
const [first, last] = [120, 740];
const rowHeight = 34;
/** Size of a label’s letters, and the width of one of a fixed-width font at most. */
const size = '12px';
const letter = 7.4;
const top = 40;

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const colourOf = ({ answer, entry: { status, kind } }: Arrow): string => {
  if (answer && (status === 0 || status >= 400)) return 'failed';
  return kind === 'webhook' ? 'accent' : 'fg';
};

function Lines(props: {
  arrows: readonly Arrow[];
  /** The position of a participant's lifeline. */
  xOf: (party: Arrow['from']) => number;
  chosen: number | undefined;
  onChoose: (index: number) => void;
}) {
  const { arrows, xOf, chosen, onChoose } = props;
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
        <chakra.text x={0} y={y + 4} fontSize={size} fill="fg.muted">
          +{durationOf(at - began)}
        </chakra.text>
        <text x={(x1 + x2) / 2} y={y - 5} textAnchor="middle" style={{ fontSize: size }} fill="currentColor">
          {cut(withShortIds(label), Math.floor((Math.abs(x2 - x1) - 24) / letter))}
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
          {from} to {to}: <Code>{label}</Code>
        </Text>
        <Button size="sm" onClick={() => onOpen(entry.id)}>
          Open the message
        </Button>
      </Flex>
      <FaultOnArrow key={entry.id} entry={entry} own={own} onSent={onSent} />
    </Box>
  );
}

/** The write with which an interaction begins: of a webhook about a record the one that created it, otherwise the entry itself. */
function useOrigin(entry: TimelineEntry): TimelineEntry {
  const record = recordTold(entry);
  const { interactionId } = entry;
  const named = useWholeTimeline(record ? { text: record, kind: 'service,program' } : { interaction: interactionId });
  return named.entries.findLast((each) => record !== '' && recordOf([each]) === record) ?? entry;
}

/** The calls of an entry's interaction in order; of a program's call, also those with its idempotency key. */
function useInteraction(entry: TimelineEntry) {
  const { interactionId } = entry;
  const own = useWholeTimeline({ interaction: interactionId });
  // Without a key, the same list.
  const sameKey = useWholeTimeline({ interaction: keyOf(entry) || interactionId });
  const byId = new Map([...own.entries, ...sameKey.entries].map((each) => [each.id, each]));
  const calls = [...byId.values()].sort((one, other) => Number(one.id) - Number(other.id));
  return { calls, isLoading: [own, sameKey].some(({ state }) => state === 'loading') };
}

/** The webhooks and the latest polls that name a record, without which the same interaction is read. */
function useAbout(record: string, interactionId: string): TimelineEntry[] {
  const webhooks = useWholeTimeline({ text: record || interactionId, kind: 'webhook' });
  const polls = useTimeline({ text: record || interactionId, kind: 'service,program' }, 100);
  return record ? [...webhooks.entries, ...polls.entries] : [];
}

/**
 * The interaction of an entry as a sequence diagram, with the webhooks and polls that follow it, and with the same content
 * as text. On the sandbox, a chosen arrow takes a fault with which the call is sent again.
 */
export function Sequence(props: { entry: TimelineEntry; onOpen: (id: string) => void; onSent: (id: string) => void }) {
  const { entry: shown, onOpen, onSent } = props;
  const origin = useOrigin(shown);
  const { interactionId } = origin;
  const { calls, isLoading } = useInteraction(origin);
  const [chosen, setChosen] = useState<number>();
  const about = useAbout(recordOf(calls), interactionId);
  const { entries: all, polls } = withFollowing(calls, about);
  const arrows = arrowsOf(all, polls);
  const arrow = chosen === undefined ? undefined : arrows[chosen];
  const { journey = '' } = calls.find((entry) => entry.journey !== '') ?? {};
  const taking = parties.filter((party) => arrows.some(({ from, to }) => from === party || to === party));
  const xOf = (party: Arrow['from']): number =>
    first + (taking.indexOf(party) * (last - first)) / Math.max(taking.length - 1, 1);
  const height = top + 40 + arrows.length * rowHeight;
  if (arrows.length === 0)
    return (
      <Box px="5" py="3">
        {isLoading ? <Skeleton lines={6} /> : <Text color="fg.muted">{notStored}</Text>}
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
        {taking.map((party) => (
          <chakra.g key={party} color="fg.muted">
            <line x1={xOf(party)} y1={top} x2={xOf(party)} y2={height} stroke="currentColor" strokeOpacity="0.4" />
            <text x={xOf(party)} y={top - 12} textAnchor="middle" style={{ fontSize: size }} fill="currentColor">
              {party}
            </text>
          </chakra.g>
        ))}
        <Lines arrows={arrows} xOf={xOf} chosen={chosen} onChoose={setChosen} />
      </chakra.svg>
      <chakra.details fontSize="sm" pt="2">
        <chakra.summary cursor="pointer" minHeight="6">
          In words
        </chakra.summary>
        <Box as="ol" listStyleType="decimal" ps="6">
          {arrows.map(({ from, to, at, label }, index) => (
            <li key={index}>
              {timeOf(new Date(at).toISOString())} {from} to {to}:{' '}
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
