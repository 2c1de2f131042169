import { Flex, Link, Text } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import type { Made } from '#contract/facts.ts';
import { journeyOf, listOf, type JourneyId } from '#machines/journeys.ts';
import { Time } from '#ui/Time.tsx';
import { useFacts } from '../console/ConsoleProvider.tsx';
import { useCreation } from './MadeCard.tsx';
import { resultSummary } from './resultSummary.ts';

/** A journey's last result, above the form for another one. */
export function PreviousResult({ id, made }: { id: JourneyId; made: Made }) {
  const list = listOf(id);
  const facts = useFacts();
  const { sent } = useCreation(made);
  const kind = journeyOf(id).resource;
  const summary = kind && facts && resultSummary(kind, made, facts, sent);
  const text = summary ? summary.title : made.name;
  return (
    <Flex asChild columnGap="3" rowGap="1" align="center" wrap="wrap" fontSize="sm">
      <section aria-label="Latest">
        <Text as="span" color="fg.muted">
          Latest
        </Text>
        {text !== '' && (
          <Text as="span" fontWeight="medium" minWidth="0" overflowWrap="anywhere">
            {text}
          </Text>
        )}
        <Text as="span" color="fg.muted">
          <Time at={made.at} />
        </Text>
        {list && (
          <Link asChild aria-label={`View all: ${list.title}`}>
            <RouterLink to={list.path}>View all</RouterLink>
          </Link>
        )}
      </section>
    </Flex>
  );
}
