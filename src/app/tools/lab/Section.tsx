import { Box, chakra, Heading, Text } from '@chakra-ui/react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { Card } from '#ui/surfaces.tsx';

/**
 * One section of the lab's page; takes the focus if the address names it. `own`: it concerns the user's own records;
 * other sections concern all users of the sandbox. `tabbed`: its tab has the same name, which is not shown twice.
 */
export function Section(props: {
  id: string;
  title: string;
  says: string;
  own?: boolean;
  tabbed?: true;
  children: ReactNode;
}) {
  const { id, title, says, own = false, tabbed, children } = props;
  const { hash, key } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hash === `#${id}`) heading.current?.focus();
  }, [hash, id, key]);
  return (
    <Card as="section" aria-labelledby={id} size="md" gap="4">
      <Box>
        <Heading as="h2" id={id} ref={heading} tabIndex={-1} outline="none" srOnly={tabbed}>
          {title}
        </Heading>
        <Text color="fg.muted" fontSize="sm" maxWidth="measure">
          {says} {own ? 'Only yours are shown.' : ''}
        </Text>
      </Box>
      {children}
    </Card>
  );
}

/** A form beside its result; below each other on a narrow page. */
export const Columns = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', lg: 'minmax(0, {sizes.inspector}) minmax(0, 1fr)' },
    gap: '8',
    alignItems: 'start',
  },
});
