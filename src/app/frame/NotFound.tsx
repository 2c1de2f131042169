import { chakra, Link, Text } from '@chakra-ui/react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { Code } from '#ui/Code.tsx';
import { useFacts } from '../console/ConsoleProvider.tsx';
import { PageHeading } from './PageHeading.tsx';
import { pagesBesideMenu } from './pages.ts';

/** The page for an address that belongs to no page. Lists what the menu does not. */
export function NotFound() {
  const { pathname } = useLocation();
  const facts = useFacts();
  const pages = pagesBesideMenu.filter(({ sandbox }) => !sandbox || facts?.environment === 'sandbox');
  return (
    <>
      <PageHeading>Page not found</PageHeading>
      <Text py="3" overflowWrap="anywhere">
        The console has no page at <Code>{pathname}</Code>. The journeys are in the menu above; these are the other
        pages:
      </Text>
      <chakra.ul aria-label="Other pages" listStyleType="none">
        {pages.map(({ path, title }) => (
          <li key={path}>
            <Link asChild display="inline-block" minHeight="6">
              <RouterLink to={path}>{title}</RouterLink>
            </Link>
          </li>
        ))}
      </chakra.ul>
    </>
  );
}
