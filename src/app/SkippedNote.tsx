import { Box, chakra, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { lastCall, useCallRecord } from './callRecord.ts';

interface Skipped {
  path: string;
  message: string;
}

const skippedIn = (response: unknown): Skipped[] =>
  (typeof response === 'object' && response !== null && (response as { skipped?: Skipped[] }).skipped) || []; // the contract's shape

/** What the calls of this page brought that was not understood, each call's latest answer: its place there and why. */
export function SkippedNote() {
  const [before] = useState(lastCall);
  const calls = useCallRecord().filter(({ id }) => id > before);
  const newest = new Map(calls.toReversed().map((call) => [`${call.method} ${call.path}`, call]));
  const skipped = [...newest].flatMap(([call, { response }]) => skippedIn(response).map((each) => ({ call, ...each })));
  if (skipped.length === 0) return null;
  return (
    <Box as="section" role="note" aria-label="Not understood" borderInlineStartWidth="4px" ps="3">
      <chakra.details>
        <chakra.summary cursor="pointer">
          {skipped.length === 1 ? 'One thing' : `${skipped.length} things`} in the service’s answers could not be
          understood and {skipped.length === 1 ? 'is' : 'are'} left out or taken for a text here.
        </chakra.summary>
        <Box as="ul" ps="5" fontSize="sm">
          {skipped.map(({ call, path, message }, index) => (
            <li key={index}>
              <Text overflowWrap="anywhere">
                <code>{call}</code>: {path && <code>{path}</code>} {message}
              </Text>
            </li>
          ))}
        </Box>
      </chakra.details>
    </Box>
  );
}
