import { Heading } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { visitOf } from '#ui/visit.ts';

/**
 * The page's h1 and document title. It takes the focus after navigation from another page (behaviour, section 10.10).
 * Replacing the address, for example to change the number of rows, does not count as navigation.
 */
export function PageHeading({ children, title = children }: { children: string; title?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const visit = visitOf(useLocation());
  useEffect(() => {
    if (visit !== 'default') heading.current?.focus();
  }, [visit]);
  return (
    <>
      <title>{`${title} · Payments Out Console`}</title>
      <Heading as="h1" size="2xl" ref={heading} tabIndex={-1}>
        {children}
      </Heading>
    </>
  );
}
