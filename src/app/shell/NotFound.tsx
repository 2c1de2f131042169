import { Link, Text } from '@chakra-ui/react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { PageHeading } from './PageHeading.tsx';

/** The page for an address that belongs to no journey. */
export function NotFound() {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeading>Page not found</PageHeading>
      <Text py="3">
        The console has no page at <code>{pathname}</code>. Every page is in the menu above; the guided path starts on
        the{' '}
        <Link asChild>
          <RouterLink to="/">home page</RouterLink>
        </Link>
        .
      </Text>
    </>
  );
}
