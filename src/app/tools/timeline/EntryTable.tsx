import { Box, Button, chakra } from '@chakra-ui/react';
import { useMemo, useRef, type KeyboardEvent } from 'react';
import type { TimelineEntry } from '#contract/timeline.ts';
import { Badge } from '#ui/Badge.tsx';
import { placeholder } from '#ui/Skeleton.tsx';
import { namedMoment } from '#ui/dates.ts';
import { marksOf } from '#rules/entryMarks.ts';
import { retriesIn } from '#rules/timeline.ts';
import { endOf, joined, type Joined } from '#rules/waterfall.ts';
import { Span, SpanScale, type SpanKind } from '#ui/plots/Span.tsx';
import { addressOf, durationOf, kindWords, statusOf, timeOf, toneOf } from './format.ts';

/** Container queries: wide enough for the bars, for the kind of a call; too narrow for milliseconds. */
const broad = '@container (min-width: 62rem)';
const wide = '@container (min-width: 50rem)';
const narrow = '@container (max-width: 30rem)';

const Row = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: '6.75rem 2.75rem minmax(0, 1fr) 2.75rem 3.5rem',
    [wide]: { gridTemplateColumns: '6.75rem 8.5rem minmax(0, 1fr) 2.75rem 4rem', ps: '6' },
    [broad]: { gridTemplateColumns: '6.75rem 8.5rem minmax(0, 1fr) 2.75rem 26rem', pe: '6' },
    [narrow]: { gridTemplateColumns: '4rem 2.5rem minmax(0, 1fr) 2.75rem', ps: '3' },
    columnGap: '2.5',
    alignItems: 'center',
    minHeight: '1.875rem',
    ps: '6',
    pe: '3',
    fontFamily: 'mono',
    fontSize: 'xs',
    lineHeight: 'xs',
    whiteSpace: 'nowrap',
    '& > *': { overflow: 'hidden', textOverflow: 'ellipsis' },
  },
});

const Address = chakra('button', {
  base: {
    minHeight: '6',
    textAlign: 'start',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    cursor: 'pointer',
    _focusVisible: { outlineOffset: '-2px' },
  },
});

const onlyWide = { display: 'none', [wide]: { display: 'block' } } as const;
const onlyBroad = { display: 'none', [broad]: { display: 'block' } } as const;
const onlyNarrow = { [wide]: { display: 'none' } } as const;
const notBroad = { [narrow]: { display: 'none' }, [broad]: { display: 'none' } } as const;

/** The line from an entry up to the one above it. */
const joint = {
  position: 'relative',
  ps: '5',
  _before: {
    content: '""',
    position: 'absolute',
    insetInlineStart: '6px',
    top: '-10px',
    height: '20px',
    width: '8px',
    borderInlineStartWidth: '1px',
    borderBottomWidth: '1px',
    borderColor: 'border.control',
  },
} as const;

interface RowProps extends Joined<TimelineEntry> {
  /** The end (ms) of the scale of the bars. */
  end: number;
  /** Its idempotency key was sent before. */
  retry: boolean;
  selected: boolean;
  onOpen: () => void;
}

const spanKind = ({ kind, method }: TimelineEntry): SpanKind =>
  kind === 'webhook' ? 'moment' : kind === 'call' ? 'page' : method === 'GET' ? 'read' : 'write';

function Entry({ entry, offset, isBeneath, end, retry, selected, onOpen }: RowProps) {
  const { at, method, ms, kind, url } = entry;
  const failed = toneOf(entry) === 'failed';
  const marks = marksOf(entry, retry);
  const verb = kind === 'webhook' ? 'hook' : method;
  return (
    <Row
      role="row"
      aria-selected={selected}
      bg={selected ? 'accent.subtle' : failed ? 'failed.subtle' : undefined}
      boxShadow={selected ? 'inset 2px 0 {colors.accent}' : failed ? 'inset 2px 0 {colors.failed}' : undefined}
      cursor="pointer"
      contentVisibility="auto"
      _hover={selected || failed ? {} : { bg: 'bg.subtle' }}
      onClick={onOpen}
    >
      <chakra.time
        role="cell"
        dateTime={at}
        title={namedMoment(new Date(at))}
        color="fg.muted"
        css={{ [narrow]: { textOverflow: 'clip' } }}
      >
        {timeOf(at)}
      </chakra.time>
      <chakra.span role="cell" translate="no" color={kind === 'webhook' ? 'accent' : undefined}>
        <chakra.span css={onlyNarrow}>{verb}</chakra.span>
        <chakra.span css={onlyWide}>
          {verb} <chakra.span color="fg.muted">{kind === 'webhook' ? '' : kindWords[kind]}</chakra.span>
        </chakra.span>
      </chakra.span>
      <Box
        role="cell"
        display="grid"
        gridTemplateColumns="minmax(0, auto) auto auto auto"
        alignItems="center"
        justifyContent="start"
        gap="2"
        // Badges below the address, where they would leave it no room.
        css={{
          ...(isBeneath && joint),
          '& > span': { whiteSpace: 'nowrap' },
          [narrow]: {
            gridTemplateColumns: 'minmax(0, auto)',
            justifyItems: 'start',
            gap: '0',
            '& > *': { maxWidth: '100%' },
          },
        }}
      >
        <Address translate="no" data-row aria-current={selected} title={url} onClick={onOpen}>
          {addressOf(entry)}
        </Address>
        {marks.map(({ word, says, tone }) => (
          <Badge key={word} tone={tone} title={says}>
            {word}
          </Badge>
        ))}
      </Box>
      <chakra.span
        role="cell"
        textAlign="end"
        color={toneOf(entry)}
        fontWeight={failed ? 'semibold' : undefined}
        title={entry.reason || undefined}
      >
        {statusOf(entry)}
      </chakra.span>
      <chakra.span role="cell" css={notBroad} textAlign="end" color="fg.muted">
        {kind === 'webhook' ? '' : durationOf(ms)}
      </chakra.span>
      <Box role="cell" css={onlyBroad} overflow="visible">
        <Span offset={offset} ms={ms} kind={spanKind(entry)} failed={failed} end={end} />
      </Box>
      {marks
        .filter(({ tone }) => tone === 'back')
        .map(({ says }) => (
          <Box key={says} role="cell" aria-colspan={4} gridColumn="3 / -1" pb="1" color="waiting" whiteSpace="normal">
            {says}
          </Box>
        ))}
    </Row>
  );
}

const headings = [['Time'], ['Call'], ['Address'], ['Status'], ['Duration', notBroad], ['Course', onlyBroad]] as const;

const Headings = ({ end = 10_000 }: { end?: number }) => (
  <Row
    role="row"
    position="sticky"
    top="0"
    zIndex="1"
    bg="bg"
    color="fg.muted"
    borderBottomWidth="1px"
    css={{ fontFamily: 'body', fontWeight: 'medium' }}
  >
    {headings.map(([name, css]) => (
      <chakra.span
        key={name}
        role="columnheader"
        {...(css && { css })}
        textAlign={['Status', 'Duration'].includes(name) ? 'end' : undefined}
      >
        {name === 'Duration' ? 'ms' : name === 'Course' ? <SpanScale end={end} /> : name}
      </chakra.span>
    ))}
  </Row>
);

/** Rows of the placeholder: as many as a page has room for; those below are cut off. */
const rowsOfSkeleton = Array.from({ length: 24 }, (_, row) => row);

/** The table until its entries are read: its headings, and a bar in each place where an entry will be. */
export const TableSkeleton = () => (
  <Box containerType="inline-size" height="full" overflow="hidden" role="status" aria-label="Loading">
    <div aria-hidden="true">
      <Headings />
    </div>
    {rowsOfSkeleton.map((row) => (
      <Row key={row}>
        {headings.map(([name, css]) => (
          <Box
            key={name}
            height="3"
            {...placeholder}
            {...(css && { css })}
            {...(name === 'Address' && { maxWidth: '24rem' })}
          />
        ))}
      </Row>
    ))}
  </Box>
);

interface Props {
  entries: readonly TimelineEntry[];
  selected: string;
  onOpen: (id: string) => void;
  /** Loads older entries; null if there are none. */
  onMore: (() => void) | null;
}

/**
 * The entries of each interaction below each other, the newest interaction first; the arrow keys, or j and k, move between them. A bar shows when
 * each began, and how long it took.
 */
export function EntryTable({ entries: unordered, selected, onOpen, onMore }: Props) {
  const rowsOf = useMemo(() => joined(unordered), [unordered]);
  const end = endOf(rowsOf);
  const retries = useMemo(() => retriesIn(unordered), [unordered]);
  const rows = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const buttons = [...(rows.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const index = buttons.findIndex((button) => button === document.activeElement) + step;
    const row = rowsOf[index];
    if (!row) return;
    event.preventDefault();
    buttons[index]?.focus();
    onOpen(row.entry.id);
  };
  return (
    <Box ref={rows} containerType="inline-size" onKeyDown={onKeyDown}>
      <div role="table" aria-label="Timeline">
        <Headings end={end} />
        {rowsOf.map((row) => (
          <Entry
            key={row.entry.id}
            {...row}
            end={end}
            retry={retries.has(row.entry.id)}
            selected={row.entry.id === selected}
            onOpen={() => onOpen(row.entry.id)}
          />
        ))}
      </div>
      {onMore && (
        <Box px="6" py="2">
          <Button size="sm" onClick={onMore}>
            Load older
          </Button>
        </Box>
      )}
    </Box>
  );
}
