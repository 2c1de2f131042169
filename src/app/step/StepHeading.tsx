import { Box, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Facts } from '#contract/facts.ts';
import { guidedPath, journeyOf, phaseOf, type JourneyId } from '#machines/journeys.ts';
import { PageHeading } from '../shell/PageHeading.tsx';

/** "Step 3 of 13"; '' for a journey that is not on the guided path. */
export function placeOf(id: JourneyId, facts: Facts | null): string {
  const path = facts ? guidedPath(facts) : [];
  const at = path.indexOf(id);
  return at < 0 ? '' : `Step ${at + 1} of ${path.length}`;
}

/**
 * The step's position and purpose: phase and number, the menu's label if the heading differs from it, two sentences.
 */
export function StepHeading(props: {
  id: JourneyId;
  facts: Facts | null;
  /** What the page is about, in place of its name and introduction; '' if the step has set none. */
  title: string;
  /** Ref of the area beside the heading. */
  beside: (place: HTMLElement | null) => void;
  /** Controls beside the heading. */
  children?: ReactNode;
}) {
  const { id, facts, title: own, beside, children } = props;
  const { title, heading: named = title, purpose, group } = journeyOf(id);
  const heading = own || named;
  const place = placeOf(id, facts);
  const label = heading === title ? (place ? '' : (group ?? '')) : group ? `${group}: ${title}` : title;
  const eyebrow = [place && phaseOf(id), place, label].filter(Boolean).join(' · ');
  return (
    <Box>
      <Text color="fg.muted" fontSize="xs" lineHeight="xs" fontWeight="medium" mb="1.5" minHeight="4">
        {eyebrow}
      </Text>
      <Flex gap="3" align="center" justify="space-between" wrap="wrap">
        <PageHeading title={group ? `${group}: ${title}` : title}>{heading}</PageHeading>
        <Flex gap="2">
          <Box ref={beside} display="contents" />
          {children}
        </Flex>
      </Flex>
      {!own && (
        <Text color="fg.muted" maxWidth="60ch" mt="2">
          {purpose}
        </Text>
      )}
    </Box>
  );
}
