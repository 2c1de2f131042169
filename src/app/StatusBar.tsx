import { chakra, Link } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import { journeyOf, type JourneyId } from '#machines/journeys.ts';
import { useFacts } from './console.tsx';

function Item({ label, value, change }: { label: string; value: string; change: JourneyId }) {
  return (
    <Link
      asChild
      color="fg"
      textDecoration="none"
      overflow="hidden"
      textOverflow="ellipsis"
      whiteSpace="nowrap"
      minWidth="0"
      lineHeight="1.5rem"
    >
      <RouterLink to={journeyOf(change).path} title={value}>
        <chakra.span color="fg.muted">{label}:</chakra.span> {value}
      </RouterLink>
    </Link>
  );
}

/** The fixed bar at the bottom: five items with their defaults, each a link to where it is changed (behaviour, section 2). */
export function StatusBar() {
  const facts = useFacts();
  const settings = facts?.settings;
  return (
    <chakra.footer
      // A magnified page is too low to give part of it away for good.
      position="sticky"
      css={{ '@media (max-height: 24rem)': { position: 'static' } }}
      bottom="0"
      zIndex="bar"
      bg="bg.subtle"
      borderTopWidth="1px"
      fontSize="sm"
      px="4"
      py="1"
      display="flex"
      flexWrap="wrap"
      columnGap="5"
      aria-label="Status"
    >
      <Item label="Subscription" value={settings?.subscriptionId || 'unknown subscription'} change="authorisation" />
      <Item label="Provider" value={facts?.provider?.name || 'unknown provider'} change="authorisation" />
      <Item label="PR Ctry" value={settings?.providerCountry || 'unknown'} change="settings" />
      <Item label="FF Ctry" value={settings?.fileFormatCountry || 'unknown'} change="settings" />
      <Item label="Lang" value={settings ? settings.acceptLanguage || 'none' : 'unknown'} change="settings" />
    </chakra.footer>
  );
}
