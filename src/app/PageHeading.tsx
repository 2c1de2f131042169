import { Heading } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { visitOf } from '#steps/kit/visit.ts';

/**
 * The page's h1 and the document's title; it takes the focus when one has come here from another page (behaviour, section 10.10). An
 * address that was only replaced, say by another number of rows, is still the same page.
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
