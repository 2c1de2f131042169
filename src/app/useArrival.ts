import { useAnimate } from 'framer-motion/mini';
import { useEffect } from 'react';

/** Moves an element in from the side where the next step comes from, unless the user wants no motion. */
export function useArrival<E extends HTMLElement>() {
  const [scope, animate] = useAnimate<E>();
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    const movement = animate(
      scope.current,
      { opacity: [0, 1], transform: ['translateX(12px)', 'translateX(0)'] },
      { duration: 0.16 },
    );
    return () => movement.complete();
  }, [scope, animate]);
  return scope;
}
