import { animate } from 'framer-motion/dom/mini';
import { useEffect, useRef } from 'react';

/** Slides an element in from the side of the next step, unless the user prefers reduced motion. */
export function useArrival<E extends HTMLElement>() {
  const scope = useRef<E>(null);
  useEffect(() => {
    if (!scope.current || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    const movement = animate(
      scope.current,
      { opacity: [0, 1], transform: ['translateX(12px)', 'translateX(0)'] },
      { duration: 0.16 },
    );
    return () => movement.complete();
  }, []);
  return scope;
}
