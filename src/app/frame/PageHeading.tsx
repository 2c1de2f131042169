import { chakra, Heading } from '@chakra-ui/react';
import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'react-router-dom';
import { visitOf } from '#ui/visit.ts';
import { barId } from './BottomBar.tsx';

/** The line above a page's heading: where the page belongs. */
export const Eyebrow = chakra('p', {
  base: { color: 'fg.muted', fontSize: 'xs', lineHeight: 'xs', fontWeight: 'medium' },
});

/**
 * The page's h1 and document title. It takes the focus after navigation from another page (behaviour, section 10.10),
 * and after the return from a login at the identity provider.
 * Replacing the address, for example to change the number of rows, does not count as navigation.
 */
export function PageHeading({ children, title = children }: { children: string; title?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const location = useLocation();
  const visit = visitOf(location);
  // The identity provider sends the user back to a page that is loaded anew.
  const hasReturned = new URLSearchParams(location.search).has('outcome');
  useEffect(() => {
    if (visit !== 'default' || hasReturned) heading.current?.focus();
  }, [visit, hasReturned]);
  return (
    <>
      <title>{`${title} · Payments Out Console`}</title>
      <Heading as="h1" size="2xl" ref={heading} tabIndex={-1}>
        {children}
      </Heading>
    </>
  );
}

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
