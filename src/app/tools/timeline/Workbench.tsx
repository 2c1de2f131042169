import { Box, Button, chakra, Flex, Link, Text } from '@chakra-ui/react';
import { useMemo, type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { sandboxHomePath } from '#contract/faults.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { Badge } from '#ui/Badge.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Skeleton } from '#ui/Skeleton.tsx';
import { SegmentedControl } from '#ui/SegmentedControl.tsx';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { useTimeline } from '#app/client/useTimeline.ts';
import { Compare } from './Compare.tsx';
import { Detail, Head, Purpose } from './Detail.tsx';
import { useAround } from './around.ts';
import { Exchange } from './Exchange.tsx';
import { Find } from './Find.tsx';
import { EntryTable, TableSkeleton } from './EntryTable.tsx';
import { countsIn, filterOf, noFilter, segments, type Filter } from './timelineFilter.ts';
import { MakeTest } from './MakeTest.tsx';
import { SendAgain } from './SendAgain.tsx';
import { Sequence } from './Sequence.tsx';
import { Strip } from './Strip.tsx';
import { beside, Split, whole } from './Split.tsx';
import { UnreadWebhooks } from './UnreadWebhooks.tsx';

interface Props {
  look: Filter;
  onLook: (change: Partial<Filter>) => void;
  heading: ReactNode;
  /** Last of the controls. */
  children?: ReactNode;
  /** At the end of the first line: the button that closes the dock. */
  close?: ReactNode;
  /** Opens a session from a file in place of the timeline; absent in the dock. */
  onFile?: (file: File) => void;
}

/** The controls above the entries: one line that scrolls in a narrow window, otherwise as many as they need. */
export const Controls = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '2',
    rowGap: '1',
    flex: '1',
    minWidth: '0',
    flexWrap: { base: 'nowrap', md: 'wrap' },
    overflowX: { base: 'auto', md: 'visible' },
    scrollbarWidth: 'thin',
    // Room for the outline of what has the focus.
    p: { base: '1', md: '0' },
    m: { base: '-1', md: '0' },
    '&& > *': { flex: { base: 'none', md: undefined } },
    '& > [role=group]': { flexWrap: { base: 'nowrap', md: 'wrap' } },
  },
});

/** The horizontal padding. */
const gutter = { px: { base: '3', md: '5' } } as const;

const stateWords = { loading: 'Loading', live: 'Live', resuming: 'Reconnecting', failed: 'Not connected' } as const;
const stateTones = { loading: 'idle', live: 'done', resuming: 'waiting', failed: 'failed' } as const;

/** The address for a program's calls to appear in the timeline. */
function YourProgram() {
  const facts = useFacts();
  const sandbox = facts?.sandbox;
  return (
    <Text color="fg.muted">
      <Link asChild>
        <RouterLink to="/programs">Your app</RouterLink>
      </Link>
      : its calls appear here as “Your program”, with their errors explained.
      {sandbox && !sandbox.isApart && (
        <>
          {' '}
          Calls that go straight to the sandbox appear here too:{' '}
          <Link href={sandboxHomePath} target="_blank" rel="noreferrer">
            {sandbox.url}
          </Link>
          .
        </>
      )}
    </Text>
  );
}

function Nothing({ look, onLook }: Pick<Props, 'look' | 'onLook'>) {
  const filtered =
    [look.find, look.journey, look.interaction, look.failed, look.from].some(Boolean) ||
    look.segment === 'webhooks' ||
    look.segment === 'programs';
  const isAll = look.segment === 'all' && look.reads;
  return (
    <Flex direction="column" gap="2" align="start" px="6" py="4">
      <Text color="fg.muted">
        {filtered
          ? 'No entry matches.'
          : `No calls${isAll ? '' : ' of this kind'} yet. Calls of your steps to the service appear here.`}
      </Text>
      {(!filtered || look.segment === 'programs') && <YourProgram />}
      {filtered && (
        <Button size="sm" onClick={() => onLook({ ...noFilter })}>
          Show all
        </Button>
      )}
    </Flex>
  );
}

/** Loads an entry that is not in the list, for example one named in the address. */
function Fetched({ id, children }: { id: string; children: (entry: TimelineEntry) => ReactNode }) {
  const { entries, state } = useTimeline({ entry: id }, 1);
  const [entry] = entries;
  if (entry) return children(entry);
  return (
    <Box gridColumn={beside} px="6" py="4" overflow="hidden">
      {state === 'loading' ? (
        <Skeleton lines={6} />
      ) : (
        <Text color="fg.muted" role="status">
          This entry is no longer stored.
        </Text>
      )}
    </Box>
  );
}

/** An entry of the stored timeline with what belongs to it. */
function Stored({
  entry,
  onOpen,
  children,
}: {
  entry: TimelineEntry;
  onOpen: (id: string) => void;
  children: ReactNode;
}) {
  return (
    <Detail entry={entry} around={useAround(entry)} onOpen={onOpen}>
      {children}
    </Detail>
  );
}

/**
 * The timeline. The parent stores the `look` (filter and open entries): the page in its address, the dock in its tab.
 */
export function Workbench({ look, onLook, heading, children, close, onFile }: Props) {
  const { entries, state, problem, more, loadMore, retry } = useTimeline(filterOf(look));
  const { entry: open, other, view } = look;
  const listed = useTimeline({ ...filterOf(look), kind: '' }, 100);
  const counts = useMemo(() => countsIn(listed), [listed]);
  const find = (id: string, draw: (entry: TimelineEntry) => ReactNode) => {
    const entry = entries.find((each) => each.id === id);
    return entry ? draw(entry) : <Fetched id={id}>{draw}</Fetched>;
  };
  const comparing = other !== '';
  const onOpen = (id: string) =>
    onLook(comparing && open !== '' && other === 'choose' ? { other: id } : { entry: id, other: '' });
  const onInteraction = (interaction: string) => onLook({ ...noFilter, segment: 'all', interaction });
  const detail = (entry: TimelineEntry) => (
    <Box
      display="grid"
      gridTemplateRows="auto minmax(0, 1fr)"
      minHeight="0"
      gridColumn={beside}
      borderInlineStartWidth={{ lg: '1px' }}
      borderTopWidth={{ base: '1px', lg: '0' }}
    >
      {/* One row of the grid: what follows has the rest of the height. */}
      <div>
        <Flex columnGap="2" rowGap="1" wrap="wrap" align="center" {...gutter} py="1.5" borderBottomWidth="1px">
          <Box flex="1 1 24rem" minWidth="0">
            <Head entry={entry} />
            <Purpose entry={entry} />
          </Box>
          <Flex gap="2" wrap="wrap" align="center">
            <MakeTest key={`test of ${entry.id}`} entry={entry} />
            <SendAgain
              key={entry.id}
              entry={entry}
              onSent={(id) => onLook({ entry: id, other: '', view: 'messages' })}
            />
            <Button
              size="sm"
              aria-pressed={view === 'sequence'}
              onClick={() => onLook({ view: view === 'sequence' ? 'messages' : 'sequence' })}
            >
              {view === 'sequence' ? 'Messages' : 'Sequence'}
            </Button>
            <Button size="sm" aria-pressed={comparing} onClick={() => onLook({ other: comparing ? '' : 'choose' })}>
              {comparing ? 'End comparing' : 'Compare'}
            </Button>
            <Button
              size="sm"
              variant="ghost"
              aria-label="Close the entry"
              onClick={() => onLook({ entry: '', other: '' })}
            >
              ✕
            </Button>
          </Flex>
        </Flex>
        {comparing && other === 'choose' && (
          <Text px="5" py="1.5" fontSize="sm" role="status">
            Choose the entry to compare with.
          </Text>
        )}
      </div>
      {comparing && other !== 'choose' ? (
        find(other, (second) => <Compare first={entry} second={second} />)
      ) : view === 'sequence' ? (
        <Sequence
          key={entry.interactionId}
          entry={entry}
          onOpen={(id) => onLook({ entry: id, view: 'messages' })}
          onSent={(id) => onLook({ entry: id, other: '', view: 'sequence' })}
        />
      ) : (
        <Stored entry={entry} onOpen={(id) => onLook({ entry: id, other: '' })}>
          <Button size="sm" onClick={() => onInteraction(entry.interactionId)}>
            List only these
          </Button>
        </Stored>
      )}
    </Box>
  );
  return (
    <Box {...whole}>
      <Flex
        minHeight="11"
        gap="2"
        py="1"
        align="start"
        wrap={{ base: 'wrap', md: 'nowrap' }}
        {...gutter}
        borderBottomWidth="1px"
      >
        <Flex gap="2" align="center" flex="none" minHeight="7">
          {heading}
          <Box role="status" minWidth={{ md: '6.5rem' }}>
            <Badge tone={stateTones[state]}>{stateWords[state]}</Badge>
          </Box>
        </Flex>
        {/* In a narrow window a line of their own. */}
        <Controls order={{ base: 1, md: 0 }} flexBasis={{ base: 'full', md: '0' }}>
          <SegmentedControl
            label="Show"
            labels={segments}
            counts={counts}
            value={look.segment}
            onChange={(segment) => onLook({ segment })}
          />
          <Find look={look} hasReads={look.segment !== 'webhooks' && look.interaction === ''} onLook={onLook} />
          {children}
        </Controls>
        {/* Outside of what scrolls, which would cut the menu off. */}
        <Flex gap="2" align="center" flex="none" ms="auto">
          <Exchange look={look} {...(onFile && { onFile })} />
          {close}
        </Flex>
      </Flex>
      {/* In the dock there is no room for it. */}
      <Box display="grid" gridTemplateRows="auto minmax(0, 1fr)" minHeight="0">
        {close === undefined ? <Strip look={look} onLook={onLook} /> : <div />}
        <Split entry={open && find(open, detail)} chooses={other === 'choose'}>
          {look.segment === 'webhooks' && <UnreadWebhooks />}
          {problem && (
            <Box p="4">
              <FailurePanel problem={problem} {...(retry && { retry: 'reads', onRetry: retry })} />
            </Box>
          )}
          {entries.length > 0 ? (
            <EntryTable entries={entries} selected={open} onOpen={onOpen} onMore={more ? loadMore : null} />
          ) : state === 'loading' ? (
            <TableSkeleton />
          ) : (
            !problem && <Nothing look={look} onLook={onLook} />
          )}
        </Split>
      </Box>
    </Box>
  );
}
