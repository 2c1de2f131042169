import { Box, Heading, Link, Text } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import type { Facts, Unread } from '#contract/facts.ts';
import { journeyOf, journeyOrder, nameOf } from '#machines/journeys.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { useReadAgain } from '../console/ConsoleProvider.tsx';
import { useResource } from '../console/useResource.ts';
import { parties } from '../effects/palette.ts';

const words: Record<Unread, string> = {
  subscription: 'the subscription, which is shown as last seen',
  provider: 'its provider',
  providers: 'the providers',
  fileFormats: 'the bank file templates',
};

/** Maximum number of names shown from each list. */
const shown = 20;

const listed = (names: readonly string[]): string =>
  names.length > shown ? `${names.slice(0, shown).join(', ')} and ${names.length - shown} more` : names.join(', ');

/**
 * Shows which data could not be requested from the service, what works without it, and the stored names (behaviour,
 * section 10.2).
 */
export function ServiceDown({ facts }: { facts: Facts }) {
  const again = useReadAgain();
  const { known } = useResource(parties);
  const debtors = known?.debtors.map(({ debtorAccountname, debtorId }) => debtorAccountname || debtorId) ?? [];
  const creditors = known?.creditors.map(({ creditorname, creditorId }) => creditorname || creditorId) ?? [];
  const [batches, subscriptions] = [facts.batches, facts.alternatives.length + (facts.subscription ? 1 : 0)];
  if (!facts.unreadBecause) return null;
  return (
    <Box display="grid" gap="4" maxWidth="measure">
      <FailurePanel problem={facts.unreadBecause} {...again}>
        <Text flexBasis="full">Not read: {facts.unread.map((what) => words[what]).join(', ')}.</Text>
      </FailurePanel>
      <Box as="section" aria-labelledby="without-service">
        <Heading as="h2" id="without-service" size="md" pb="2">
          What works without the payments service
        </Heading>
        <Box as="ul" ps="4" listStyleType="disc" display="grid" gap="1">
          {journeyOrder
            .map(journeyOf)
            .filter(({ local }) => local)
            .map(({ id, path, local }) => (
              <li key={id}>
                <Link asChild>
                  <RouterLink to={path}>{nameOf(id)}</RouterLink>
                </Link>
                : {local}
              </li>
            ))}
        </Box>
        <Heading as="h3" size="sm" pt="3" pb="1">
          Stored here
        </Heading>
        <Box as="ul" ps="4" listStyleType="disc" overflowWrap="anywhere">
          <li>Subscriptions: {subscriptions}</li>
          <li>
            Debtors: {debtors.length}
            {debtors.length > 0 && ` (${listed(debtors)})`}
          </li>
          <li>
            Creditors: {creditors.length}
            {creditors.length > 0 && ` (${listed(creditors)})`}
          </li>
          <li>Posted batches: {batches}</li>
        </Box>
      </Box>
    </Box>
  );
}
