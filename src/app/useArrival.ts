import type { animate as Animate } from 'framer-motion/dom/mini';
import { useEffect, useRef } from 'react';

/** Comes after the first step, which arrives from nowhere; without it nothing moves. */
let animate: typeof Animate | undefined;
import('framer-motion/dom/mini').then(
  (motion) => (animate = motion.animate),
  () => undefined,
);

/** Moves an element in from the side where the next step comes from, unless the user wants no motion. */
export function useArrival<E extends HTMLElement>() {
  const scope = useRef<E>(null);
  useEffect(() => {
    if (!animate || !scope.current || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    const movement = animate(
      scope.current,
      { opacity: [0, 1], transform: ['translateX(12px)', 'translateX(0)'] },
      { duration: 0.16 },
    );
    return () => movement.complete();
  }, []);
  return scope;
}
