import { Box, chakra, Text } from '@chakra-ui/react';
import { parse } from '#contract/json.ts';
import type { TimelineMessage } from '#contract/timeline.ts';
import { CopyButton } from '#steps/kit/CopyButton.tsx';
import { JsonView } from '#steps/kit/JsonView.tsx';
import { bytesOf } from './words.ts';

/** The body as JSON, undefined if it is none: another type, or cut short. */
function jsonIn(body: string): unknown {
  try {
    return parse(body);
  } catch {
    return undefined;
  }
}

export function Body({ message: { body, bytes }, what }: { message: TimelineMessage; what: string }) {
  if (bytes === 0) return <Text color="fg.muted">No body</Text>;
  const json = jsonIn(body);
  const kept = new TextEncoder().encode(body).length;
  return (
    <Box display="grid" gap="2" gridTemplateColumns="minmax(0, 1fr)">
      {json === undefined ? (
        <>
          {kept < bytes && (
            <Text color="fg.muted">
              Cut short: the first {bytesOf(kept)} of {bytesOf(bytes)} are kept.
            </Text>
          )}
          <div>
            <CopyButton text={body} what={what} />
          </div>
          <Box as="pre" fontSize="sm" lineHeight="sm" whiteSpace="pre-wrap">
            {body}
          </Box>
        </>
      ) : (
        <JsonView value={json} what={what} />
      )}
    </Box>
  );
}

export function Headers({ headers }: Pick<TimelineMessage, 'headers'>) {
  const all = Object.entries(headers);
  if (all.length === 0) return null;
  return (
    <chakra.dl
      display="grid"
      gridTemplateColumns="minmax(7rem, max-content) minmax(0, 1fr)"
      columnGap="3"
      fontFamily="mono"
      fontSize="sm"
      lineHeight="sm"
      overflowWrap="anywhere"
    >
      {all.map(([name, value]) => (
        <Box key={name} display="contents">
          <chakra.dt color="fg.muted">{name}</chakra.dt>
          <dd>{value}</dd>
        </Box>
      ))}
    </chakra.dl>
  );
}
