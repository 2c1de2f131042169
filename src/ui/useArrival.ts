import { animate } from 'framer-motion/dom/mini';
import { useEffect, useRef } from 'react';

/** Slides an element in by `from`, the way it comes, when it is first drawn; not if the user prefers reduced motion. */
export function useArrival<E extends HTMLElement>(from: string, arrives = true) {
  const scope = useRef<E>(null);
  useEffect(() => {
    if (!arrives || !scope.current || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    const movement = animate(scope.current, { opacity: [0, 1], transform: [from, 'none'] }, { duration: 0.16 });
    return () => movement.complete();
  }, [from, arrives]);
  return scope;
}
