import { Box, chakra, Flex } from '@chakra-ui/react';
import type { TimelineEntry } from '#contract/timeline.ts';
import { Code } from '#ui/Code.tsx';
import { Id } from '#ui/CopyButton.tsx';
import { JsonView } from '#ui/JsonView.tsx';
import { withShortIds } from '#rules/shortId.ts';
import { pathOf } from '#rules/url.ts';
import { Time } from '#ui/Time.tsx';
import { Empty } from './Message.tsx';
import { HttpStatus } from './parts.tsx';
import type { ShownRecord } from './records.ts';

/** The record of a list's row: its id, the call that created it, and its members. */
export function RecordTab(props: {
  record: ShownRecord;
  /** The call that created it; undefined if the timeline has none. */
  made: TimelineEntry | undefined;
  loading: boolean;
  /** Shows that call. */
  onMade: () => void;
}) {
  const { record, made, loading, onMade } = props;
  const { id, one, name, value } = record;
  return (
    <>
      <Flex gap="2" align="baseline" wrap="wrap" px="5" py="2" borderBottomWidth="1px">
        <chakra.h2 fontSize="md" fontWeight="semibold">
          {[one, name].filter(Boolean).join(' ')}
        </chakra.h2>
        <Id value={id} what={`the id of the ${one.toLowerCase()}`} />
      </Flex>
      <Flex gap="2" align="center" wrap="wrap" px="5" py="2" minHeight="12" borderBottomWidth="1px" fontSize="sm">
        {made ? (
          <>
            Created <Time at={made.at} /> by
            <chakra.button
              type="button"
              color="accent"
              textDecoration="underline"
              cursor="pointer"
              textAlign="start"
              minHeight="6"
              onClick={onMade}
            >
              <Code>
                {made.method} {withShortIds(pathOf(made.url))}
              </Code>
            </chakra.button>
            <HttpStatus status={made.status} />
            <chakra.span color="fg.muted" fontVariantNumeric="tabular-nums">
              {Math.round(made.ms)} ms
            </chakra.span>
          </>
        ) : (
          !loading && <chakra.span color="fg.muted">The call that created it is not recorded.</chakra.span>
        )}
      </Flex>
      {value ? (
        <Box pt="3" pb="4">
          <JsonView value={value} what={`record of ${[one.toLowerCase(), name || id].join(' ')}`} title="Record" />
        </Box>
      ) : (
        <Empty>The list no longer has this row.</Empty>
      )}
    </>
  );
}
