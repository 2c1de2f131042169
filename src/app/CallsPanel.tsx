import { Box, Button, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { CopyButton } from '#steps/kit/CopyButton.tsx';
import { JsonView } from '#steps/kit/JsonView.tsx';
import { useFocusReturn } from '#steps/kit/useFocusReturn.ts';
import { UnreadWebhooks } from './UnreadWebhooks.tsx';
import { curlOf, useCallRecord, type RecordedCall } from './callRecord.ts';

function Entry({ entry }: { entry: RecordedCall }) {
  const { method, path, status, duration, request, response } = entry;
  return (
    <chakra.details borderBottomWidth="1px" py="1.5">
      <chakra.summary cursor="pointer" overflowWrap="anywhere">
        <code>
          {method} {path}
        </code>{' '}
        <chakra.span color={status > 0 && status < 400 ? 'done' : 'failed'}>{status || 'no answer'}</chakra.span>{' '}
        <chakra.span color="fg.muted">{duration} ms</chakra.span>
      </chakra.summary>
      <Box display="grid" gap="3" pt="2">
        <div>
          <CopyButton text={curlOf(entry, location.origin)} what={`${method} ${path} as cURL`} label="Copy as cURL" />
        </div>
        {request !== undefined && <JsonView value={request} what="request" />}
        {response !== undefined && <JsonView value={response} what="response" />}
      </Box>
    </chakra.details>
  );
}

/** The calls that this page made, newest first, secrets masked. */
export function CallsPanel({ onClose }: { onClose: () => void }) {
  const calls = useCallRecord();
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusReturn();
  useEffect(() => heading.current?.focus(), []);
  return (
    <chakra.aside
      aria-label="Calls of this page"
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
      position="fixed"
      insetInlineEnd="0"
      top="0"
      bottom="0"
      zIndex="panel"
      width={{ base: 'min(32rem, 100%)', lg: 'clamp({sizes.sidebar.min}, 35vw, {sizes.sidebar.max})' }}
      overflow="auto"
      p="4"
      bg="bg"
      borderInlineStartWidth="1px"
    >
      <Flex justify="space-between" align="center" pb="3">
        <Heading as="h2" ref={heading} tabIndex={-1} outline="none">
          Calls of this page
        </Heading>
        <Button onClick={onClose}>Close</Button>
      </Flex>
      <UnreadWebhooks />
      {calls.length === 0 && <Text>No call has been made yet.</Text>}
      {calls.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </chakra.aside>
  );
}
