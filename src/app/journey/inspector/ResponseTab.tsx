import { Box } from '@chakra-ui/react';
import type { TimelineEntry } from '#contract/timeline.ts';
import { pathOf } from '#rules/url.ts';
import { Time } from '#ui/Time.tsx';
import { Body, Empty, Headers } from './Message.tsx';
import { CallLine, HttpStatus } from './parts.tsx';
import { sizeText } from './shownRequest.ts';

/** The service's answer to a request of the journey `of`. */
export function ResponseTab(props: {
  of: string;
  entry: TimelineEntry | undefined;
  /** What is said in place of an answer that is not recorded. */
  missing?: string | undefined;
}) {
  const { of, entry, missing } = props;
  if (!entry) return <Empty>{missing ?? 'No response yet.'}</Empty>;
  const { method, url, status, reason, ms, at, attempt, response } = entry;
  return (
    <>
      <CallLine method={method} path={pathOf(url)} status={<HttpStatus status={status} />}>
        <Time at={at} /> · {Math.round(ms)} ms · {sizeText(response.bytes)}
        {attempt > 1 && ` · attempt ${attempt}`}
      </CallLine>
      {reason && (
        <Box px="5" pt="3" fontSize="sm">
          {reason}
        </Box>
      )}
      {status > 0 && (
        <>
          <Body message={response} what={`response body of ${of}`} />
          <Headers headers={response.headers} />
        </>
      )}
    </>
  );
}
