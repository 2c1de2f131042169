import { Box, chakra, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { Code } from '#ui/Code.tsx';
import { Callout } from '#ui/surfaces.tsx';
import { answersSoFar, useNoted } from '../client/skippedParts.ts';

/**
 * The parts of the service's answers to this page's calls that were not understood, with path and reason. Only the
 * latest answer of each call counts.
 */
export function SkippedNote() {
  const [before] = useState(answersSoFar);
  const noted = useNoted().filter(({ turn }) => turn > before);
  const skipped = noted.flatMap(({ call, skipped: parts }) => parts.map((part) => ({ call, ...part })));
  if (skipped.length === 0) return null;
  return (
    <Callout as="section" role="note" aria-label="Unreadable parts of responses" tone="waiting" size="sm">
      <chakra.details>
        <chakra.summary cursor="pointer">
          {skipped.length === 1 ? 'One part' : `${skipped.length} parts`} of the service’s responses could not be read
          and {skipped.length === 1 ? 'is' : 'are'} omitted or shown as text.
        </chakra.summary>
        <Box as="ul" ps="5" fontSize="sm">
          {skipped.map(({ call, path, message }, index) => (
            <li key={index}>
              <Text overflowWrap="anywhere">
                <Code>{call}</Code>: {path && <Code>{path}</Code>} {message}
              </Text>
            </li>
          ))}
        </Box>
      </chakra.details>
    </Callout>
  );
}
