import { Box, Link } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import { Skeleton } from '#steps/kit/Skeleton.tsx';
import { useSeconds } from '#steps/kit/Time.tsx';

/** Seconds after which the elapsed time and a way out are shown (behaviour, section 10.6). */
const patience = 10;

/** Says that work goes on; after ten seconds for how long, and how to leave. */
export function Working() {
  const elapsed = useSeconds();
  return (
    <Box role="status" color="fg.muted" minHeight="6">
      {elapsed < patience ? (
        'Working …'
      ) : (
        <>
          Working for {elapsed} s.{' '}
          <Link asChild>
            <RouterLink to="/">Leave this step</RouterLink>
          </Link>{' '}
          keeps what you typed; sending it again takes effect once at most.
        </>
      )}
    </Box>
  );
}

/** Rows of the skeleton while a step loads: about the height of a form. */
const skeletonLines = 4;

/** In place of a step that is not there yet. */
export function Loading() {
  return (
    <>
      <Working />
      <Skeleton lines={skeletonLines} />
    </>
  );
}
