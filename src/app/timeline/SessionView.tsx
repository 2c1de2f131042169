import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { Session } from '#machines/lab/session.machine.ts';
import { counted } from '#rules/counted.ts';
import { Callout } from '#ui/surfaces.tsx';
import { Detail } from './Detail.tsx';
import { EntryTable } from './EntryTable.tsx';

/** A session from a file in place of the timeline: it can be looked at, and nothing of it sent. */
export function SessionView({ session, onClose }: { session: Session; onClose: () => void }) {
  const { name, entries, left } = session;
  const [open, setOpen] = useState('');
  const entry = entries.find(({ id }) => id === open);
  return (
    <Box display="grid" gridTemplateRows="auto minmax(0, 1fr)" minHeight="0" height="full" bg="bg">
      <Callout tone="next" role="status" m="3">
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
      <Box
        display="grid"
        minHeight="0"
        gridTemplateColumns={{ lg: entry ? 'minmax(24rem, 38.75rem) minmax(0, 1fr) minmax(0, 1fr)' : 'minmax(0, 1fr)' }}
      >
        <Box overflow="auto" minHeight="0" tabIndex={-1} hideBelow={entry ? 'md' : undefined}>
          <EntryTable
            entries={entries}
            selected={open}
            onOpen={setOpen}
            onInteraction={() => undefined}
            onMore={null}
          />
        </Box>
        {entry && <Detail entry={entry} ofFile />}
      </Box>
    </Box>
  );
}
