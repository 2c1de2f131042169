import { Box, Link } from '@chakra-ui/react';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { useSteadySeconds } from '#ui/ticks.ts';

/** Seconds after which the elapsed time and a link to leave the step are shown (behaviour, section 10.6). */
const patience = 10;

/**
 * Shows that work is in progress; after ten seconds also the elapsed time and a link to leave the step. `sends`: the
 * work is a write, which may take effect although the step is left.
 */
export function Working({ doing = 'Working', sends = false }: { doing?: string; sends?: boolean }) {
  const now = useSteadySeconds();
  const [start] = useState(now);
  const elapsed = now - start;
  return (
    <Box role="status" color="fg.muted" minHeight="6">
      {elapsed < patience ? (
        `${doing} …`
      ) : (
        <>
          {doing} for {elapsed} s.{' '}
          <Link asChild>
            <RouterLink to="/">Leave this step</RouterLink>
          </Link>{' '}
          keeps your entries{sends && '; what was sent may still take effect'}.
        </>
      )}
    </Box>
  );
}
