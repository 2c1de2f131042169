import { Skeleton } from '#ui/Skeleton.tsx';
import { Working } from '#steps/kit/Working.tsx';

/** Rows of the skeleton shown while a step loads: about the height of a form. */
const skeletonLines = 4;

/** Placeholder for a step that is still loading. */
export function StepSkeleton() {
  return (
    <>
      <Working />
      <Skeleton lines={skeletonLines} />
    </>
  );
}
