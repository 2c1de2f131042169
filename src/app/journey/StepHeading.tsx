import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Facts } from '#contract/facts.ts';
import { guidedPath, journeyOf, phaseOf, type JourneyId } from '#machines/journeys.ts';
import { Introduction, TitleLine, type Title } from '#ui/StepTitle.tsx';
import { PageHeading } from '../frame/PageHeading.tsx';

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
  /** What the page is about, in place of its name and introduction; null if the step has set none. */
  title: Title | null;
  /** Ref of the area beside the heading. */
  beside: (place: HTMLElement | null) => void;
  /** Controls beside the heading. */
  children?: ReactNode;
}) {
  const { id, facts, title: own, beside, children } = props;
  const { title, heading: named = title, purpose, group } = journeyOf(id);
  const heading = own?.text || named;
  const place = placeOf(id, facts);
  const grouped = group ? `${group}: ${title}` : title;
  const introduction = own ? own.introduction : purpose;
  const label = own?.above || heading !== title ? own?.above || grouped : place ? '' : (group ?? '');
  const position = [place && phaseOf(id), place].filter(Boolean).join(' · ');
  return (
    <Box>
      {/* The controls are in the first line, so that the heading has the whole width. */}
      <Flex columnGap="3" align="center" justify="space-between" height="9" mb="1">
        <Text color="fg.muted" fontSize="xs" lineHeight="xs" fontWeight="medium">
          {/* On a narrow page the line of the rail has the position. */}
          {position && <chakra.span hideBelow="lg">{label ? `${position} · ` : position}</chakra.span>}
          {label}
        </Text>
        <Flex gap="2" align="start" alignSelf="start" flex="none">
          <Box ref={beside} display="contents" />
          {children}
        </Flex>
      </Flex>
      <Box overflowWrap="anywhere">
        <TitleLine status={own?.status ?? ''} tone={own?.tone}>
          <PageHeading title={grouped}>{heading}</PageHeading>
        </TitleLine>
      </Box>
      {introduction !== '' && <Introduction>{introduction}</Introduction>}
    </Box>
  );
}
