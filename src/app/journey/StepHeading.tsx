import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Facts, Made } from '#contract/facts.ts';
import { guidedPath, journeyOf, phaseOf, type JourneyId } from '#machines/journeys.ts';
import { Introduction, TitleLine, type Title } from '#ui/StepTitle.tsx';
import { PageHeading } from '../frame/PageHeading.tsx';
import { useMessageEnd } from './MadeCard.tsx';
import { resultTitle, statusIn } from './resultSummary.ts';

/** "Step 3 of 13"; '' for a journey that is not on the guided path. */
export function placeOf(id: JourneyId, facts: Facts | null): string {
  const path = facts ? guidedPath(facts) : [];
  const at = path.indexOf(id);
  return at < 0 ? '' : `Step ${at + 1} of ${path.length}`;
}

/** Says what was made; the card below has the record. */
function ResultHeading({ id, facts, made, title }: { id: JourneyId; facts: Facts; made: Made; title: string }) {
  const { resource = 'company' } = journeyOf(id);
  return (
    <PageHeading title={title}>
      {resultTitle(resource, useMessageEnd(made), statusIn(resource, made, facts))}
    </PageHeading>
  );
}

/**
 * The step's position and purpose: phase and number, the menu's label if the heading differs from it, two sentences.
 * With `made`, the record that the page shows instead of the form.
 */
export function StepHeading(props: {
  id: JourneyId;
  facts: Facts | null;
  made: Made | undefined;
  /** What the page is about, in place of its name and introduction; null if the step has set none. */
  title: Title | null;
  /** Ref of the area beside the heading. */
  beside: (place: HTMLElement | null) => void;
  /** Controls beside the heading. */
  children?: ReactNode;
}) {
  const { id, facts, made, title: own, beside, children } = props;
  const { title, heading: named = title, purpose, group } = journeyOf(id);
  const heading = own?.text ?? named;
  const place = placeOf(id, facts);
  const grouped = group ? `${group}: ${title}` : title;
  const shown = facts && made;
  const introduction = own ? own.introduction : purpose;
  const label = shown || heading !== title ? grouped : place ? '' : (group ?? '');
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
        {shown ? (
          <ResultHeading id={id} facts={facts} made={made} title={grouped} />
        ) : (
          <TitleLine status={own?.status ?? ''}>
            <PageHeading title={grouped}>{heading}</PageHeading>
          </TitleLine>
        )}
      </Box>
      {!shown && introduction !== '' && <Introduction>{introduction}</Introduction>}
    </Box>
  );
}
