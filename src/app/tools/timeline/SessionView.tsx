import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { Session } from '#machines/lab/resources.ts';
import { counted } from '#rules/counted.ts';
import { Callout } from '#ui/surfaces.tsx';
import { Detail } from './Detail.tsx';
import { EntryTable } from './EntryTable.tsx';
import { beside, panes, Split, whole } from './Split.tsx';

/** A session from a file in place of the timeline: it can be looked at, and nothing of it sent. */
export function SessionView({ session, onClose }: { session: Session; onClose: () => void }) {
  const { name, entries, left } = session;
  const [open, setOpen] = useState('');
  const entry = entries.find(({ id }) => id === open);
  return (
    <Box {...whole}>
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
      <Split
        entry={
          entry && (
            <Box gridColumn={beside} {...whole}>
              <Flex justify="end" px="3" py="1.5">
                <Button size="sm" variant="ghost" aria-label="Close the entry" onClick={() => setOpen('')}>
                  ✕
                </Button>
              </Flex>
              <Box {...panes}>
                <Detail entry={entry} ofFile />
              </Box>
            </Box>
          )
        }
      >
        <EntryTable entries={entries} selected={open} onOpen={setOpen} onMore={null} />
      </Split>
    </Box>
  );
}
