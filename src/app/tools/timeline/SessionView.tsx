import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useCallback, useMemo, useState } from 'react';
import type { Session } from '#machines/lab/resources.ts';
import { counted } from '#rules/counted.ts';
import { matching } from '#rules/timeline.ts';
import { SegmentedControl } from '#ui/SegmentedControl.tsx';
import { Callout } from '#ui/surfaces.tsx';
import { aroundIn } from './around.ts';
import { Detail, Head } from './Detail.tsx';
import { EntryTable } from './EntryTable.tsx';
import { Find } from './Find.tsx';
import { countsIn, filterOf, noFilter, segments, type Filter } from './timelineFilter.ts';
import { beside, Split, whole } from './Split.tsx';
import { Controls } from './Workbench.tsx';

/** A session from a file in place of the timeline: it can be filtered and looked at, and nothing of it sent. */
export function SessionView({ session, onClose }: { session: Session; onClose: () => void }) {
  const { name, entries, left } = session;
  const [look, setLook] = useState<Filter>({ ...noFilter, segment: 'all', reads: true });
  const shown = useMemo(() => matching(entries, filterOf(look)), [entries, look]);
  const counts = useMemo(() => countsIn({ entries, more: false, state: 'live' }), [entries]);
  const onLook = useCallback((change: Partial<Filter>) => setLook((before) => ({ ...before, ...change })), []);
  const onOpen = (id: string) => onLook({ entry: id });
  const entry = entries.find(({ id }) => id === look.entry);
  return (
    <Box {...whole}>
      <div>
        <Callout tone="next" role="status" m="3" mb="1">
          <Flex gap="3" wrap="wrap" align="center">
            <Text flex="1 1 20rem" overflowWrap="anywhere">
              Read-only session from {name}: {counted(entries.length, 'entry', 'entries')}. They are not calls of this
              console; nothing here can be sent again. {left.join(' ')}
            </Text>
            <Button size="sm" onClick={onClose}>
              Close the session
            </Button>
          </Flex>
        </Callout>
        <Flex px={{ base: '3', md: '5' }} py="1" borderBottomWidth="1px">
          <Controls>
            <SegmentedControl
              label="Show"
              labels={segments}
              counts={counts}
              value={look.segment}
              onChange={(segment) => onLook({ segment })}
            />
            <Find look={look} hasReads={look.segment !== 'webhooks'} onLook={onLook} />
          </Controls>
        </Flex>
      </div>
      <Split
        entry={
          entry && (
            <Box gridColumn={beside} {...whole} borderInlineStartWidth={{ lg: '1px' }}>
              <Flex px="5" py="1.5" gap="2" borderBottomWidth="1px">
                <Head entry={entry} />
                <Button size="sm" variant="ghost" aria-label="Close the entry" onClick={() => onOpen('')}>
                  ✕
                </Button>
              </Flex>
              <Detail entry={entry} around={aroundIn(entry, entries)} ofFile onOpen={onOpen} />
            </Box>
          )
        }
      >
        {shown.length > 0 ? (
          <EntryTable entries={shown} selected={look.entry} onOpen={onOpen} onMore={null} />
        ) : (
          <Text px="6" py="4" color="fg.muted">
            No entry matches.
          </Text>
        )}
      </Split>
    </Box>
  );
}
