import { Box, chakra, Link } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import { addressOf, type JourneyId } from '#machines/journeys.ts';
import { StatusWord } from '#steps/kit/StatusWord.tsx';
import { guidedRows } from './guidedRows.ts';

/** The ordered list of the guided path's steps beside a step (behaviour, section 10.10). */
export function GuidedSteps({ current, facts }: { current: JourneyId; facts: Facts }) {
  return (
    <chakra.nav aria-label="Guided path" fontSize="sm">
      <Box as="ol" listStyleType="none" display="grid" gap="1">
        {guidedRows(facts).map(({ id, name, tone, word }) => (
          <Box
            as="li"
            key={id}
            display="flex"
            justifyContent="space-between"
            gap="3"
            px="2"
            py="0.5"
            borderInlineStartWidth="2px"
            borderColor={id === current ? 'accent' : 'border'}
          >
            <Link
              asChild
              color="fg"
              textDecoration="none"
              minHeight="6"
              fontWeight={id === current ? 'semibold' : 'normal'}
            >
              <RouterLink to={addressOf(id, { guided: true })} aria-current={id === current ? 'step' : undefined}>
                {name}
              </RouterLink>
            </Link>
            <StatusWord tone={tone}>{word}</StatusWord>
          </Box>
        ))}
      </Box>
    </chakra.nav>
  );
}
