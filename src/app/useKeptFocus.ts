import { useEffect, useRef, type RefObject } from 'react';
import { barId } from './BottomBar.tsx';

/**
 * Keeps the focus on the page when what had it is gone, say the button of a failure that was tried again: the page's
 * heading takes it, unless the step has put it elsewhere. Looks whenever `change` is another one.
 */
export function useKeptFocus(section: RefObject<HTMLElement | null>, change: unknown): void {
  const last = useRef<Element>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const within = target instanceof Element && (section.current?.contains(target) || target.closest(`#${barId}`));
      last.current = within ? target : null;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [section]);
  useEffect(() => {
    if (!last.current || last.current.isConnected || document.activeElement !== document.body) return;
    last.current = null;
    section.current?.querySelector('h1')?.focus();
  }, [section, change]);
}
