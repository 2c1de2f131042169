import { useEffect, useRef, type RefObject } from 'react';
import { barId } from '../step/BottomBar.tsx';

/**
 * Moves the focus to the page's heading when the focused element is removed, for example the retry button of a failure,
 * unless the step has focused something else. Checked whenever `change` changes.
 */
export function useRestoreHeadingFocus(section: RefObject<HTMLElement | null>, change: unknown): void {
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
