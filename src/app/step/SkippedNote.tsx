import { Box, chakra, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { answersSoFar, useNoted } from './skippedParts.ts';

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
