import { Box, Link } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import { Skeleton } from '#steps/kit/Skeleton.tsx';
import { useSeconds } from '#steps/kit/Time.tsx';

/** Seconds after which the elapsed time and a link to leave the step are shown (behaviour, section 10.6). */
const patience = 10;

/** Shows that work is in progress; after ten seconds also the elapsed time and a link to leave the step. */
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

/** Rows of the skeleton shown while a step loads: about the height of a form. */
const skeletonLines = 4;

/** Placeholder for a step that is still loading. */
export function Loading() {
  return (
    <>
      <Working />
      <Skeleton lines={skeletonLines} />
    </>
  );
}
