import { Box } from '@chakra-ui/react';
import type { TimelineEntry } from '#contract/timeline.ts';
import { Time } from '#ui/Time.tsx';
import { Empty } from './Message.tsx';
import { CallLine, Request } from './parts.tsx';
import type { ShownRequest } from './shownRequest.ts';

interface RequestTabProps {
  /** The name of the journey. */
  of: string;
  request: ShownRequest | undefined;
  /** The timeline entry of a sent request; undefined before it is sent. */
  entry: TimelineEntry | undefined;
  sending: boolean;
  /** Dotted path of the highlighted value in the body. */
  lit: string | undefined;
  /** Values that are known only when the request is sent. */
  later: string | undefined;
  /** What is said in place of a request that is not recorded. */
  missing?: string | undefined;
}

/** The request that was sent or is about to be sent. */
export function RequestTab({ of, request, entry, sending, lit, later, missing }: RequestTabProps) {
  if (!request) return <Empty>{missing ?? 'No request yet.'}</Empty>;
  return (
    <>
      <CallLine method={request.method} path={request.path}>
        {entry ? (
          <>
            Sent <Time at={entry.at} />
          </>
        ) : sending ? (
          'Sending …'
        ) : (
          'Not sent yet'
        )}
      </CallLine>
      <Request request={request} of={of} lit={lit} />
      {later && (
        <Box px="5" pb="4" fontSize="xs" color="fg.muted">
          {later}
        </Box>
      )}
    </>
  );
}
