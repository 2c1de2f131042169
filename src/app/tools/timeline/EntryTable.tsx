import { Box, Button, chakra } from '@chakra-ui/react';
import { useMemo, useRef, type KeyboardEvent } from 'react';
import type { TimelineEntry } from '#contract/timeline.ts';
import { shortId } from '#rules/shortId.ts';
import { Badge } from '#ui/Badge.tsx';
import { placeholder } from '#ui/Skeleton.tsx';
import { namedMoment } from '#ui/dates.ts';
import { faultTitle } from '#rules/lab.ts';
import { faultOf, retriesIn } from '#rules/timeline.ts';
import { addressOf, durationOf, kindWords, statusOf, timeOf, toneOf } from './format.ts';

/** Container queries: wide enough for all columns; too narrow for milliseconds. */
const wide = '@container (min-width: 50rem)';
const narrow = '@container (max-width: 30rem)';

const Row = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: '6.75rem 2.75rem minmax(0, 1fr) 2.75rem 3.5rem',
    [wide]: { gridTemplateColumns: '6.75rem 8.5rem minmax(0, 1fr) 2.75rem 4rem 7rem', ps: '6' },
    [narrow]: { gridTemplateColumns: '3.625rem 2.5rem minmax(0, 1fr) 2.75rem', ps: '3' },
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
const onlyNarrow = { [wide]: { display: 'none' } } as const;
const notNarrow = { [narrow]: { display: 'none' } } as const;

interface RowProps {
  entry: TimelineEntry;
  /** Its idempotency key was sent before. */
  retry: boolean;
  selected: boolean;
  onOpen: () => void;
  onInteraction: () => void;
}

function Entry({ entry, retry, selected, onOpen, onInteraction }: RowProps) {
  const { at, method, ms, kind, interactionId, url } = entry;
  const fault = faultOf(entry);
  const failed = toneOf(entry) === 'failed';
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
        gridTemplateColumns="minmax(0, auto) auto auto"
        alignItems="center"
        justifyContent="start"
        gap="2"
        // Badges below the address, where they would leave it no room.
        css={{
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
        {fault && (
          <Badge tone="waiting" title="Injected by the fault lab">
            {faultTitle(fault)}
          </Badge>
        )}
        {retry && (
          <Badge tone="next" title="Sent before with the same idempotency key">
            Retry
          </Badge>
        )}
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
      <chakra.span role="cell" css={notNarrow} textAlign="end" color="fg.muted">
        {kind === 'webhook' ? '' : durationOf(ms)}
      </chakra.span>
      <Box role="cell" css={onlyWide}>
        <chakra.button
          translate="no"
          color="fg.muted"
          minHeight="6"
          cursor="pointer"
          _hover={{ textDecoration: 'underline' }}
          title={`${interactionId}: show everything of this interaction`}
          aria-label={`Show everything of interaction ${shortId(interactionId)}`}
          onClick={(event) => {
            event.stopPropagation();
            onInteraction();
          }}
        >
          {shortId(interactionId)}
        </chakra.button>
      </Box>
    </Row>
  );
}

const headings = [
  ['Time'],
  ['Call'],
  ['Address'],
  ['Status'],
  ['Duration', notNarrow],
  ['Interaction', onlyWide],
] as const;

const Headings = () => (
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
        {name === 'Duration' ? 'ms' : name}
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
  onInteraction: (id: string) => void;
  /** Loads older entries; null if there are none. */
  onMore: (() => void) | null;
}

const newestFirst = (a: TimelineEntry, b: TimelineEntry): number =>
  Date.parse(b.at) - Date.parse(a.at) || Number(b.id) - Number(a.id);

/** The entries by start time, newest first; the arrow keys move between them. */
export function EntryTable({ entries: unordered, selected, onOpen, onInteraction, onMore }: Props) {
  const entries = unordered.toSorted(newestFirst);
  const retries = useMemo(() => retriesIn(unordered), [unordered]);
  const rows = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const buttons = [...(rows.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const index = buttons.findIndex((button) => button === document.activeElement) + step;
    const entry = entries[index];
    if (!entry) return;
    event.preventDefault();
    buttons[index]?.focus();
    onOpen(entry.id);
  };
  return (
    <Box ref={rows} containerType="inline-size" onKeyDown={onKeyDown}>
      <div role="table" aria-label="Timeline">
        <Headings />
        {entries.map((entry) => (
          <Entry
            key={entry.id}
            entry={entry}
            retry={retries.has(entry.id)}
            selected={entry.id === selected}
            onOpen={() => onOpen(entry.id)}
            onInteraction={() => onInteraction(entry.interactionId)}
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
