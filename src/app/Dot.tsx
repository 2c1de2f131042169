import { Box } from '@chakra-ui/react';
import type { Tone } from '#steps/kit/StatusWord.tsx';

const looks: Partial<Record<Tone, object>> = {
  done: { bg: 'done', borderColor: 'done', color: 'bg' },
  next: { borderWidth: '5px', borderColor: 'accent' },
};

/** The state of a row of the guided path: done with a check, the present one ringed, others empty; `word` for who does not see it. */
export function Dot({ tone, word }: { tone: Tone; word: string }) {
  return (
    <Box as="span" flex="none" position="relative">
      <Box
        as="span"
        aria-hidden
        display="grid"
        placeItems="center"
        width="4"
        height="4"
        borderWidth="1.5px"
        borderRadius="full"
        fontSize="10px"
        lineHeight="1"
        {...looks[tone]}
      >
        {tone === 'done' && '✓'}
      </Box>
      <Box as="span" srOnly>
        {word}
      </Box>
    </Box>
  );
}
