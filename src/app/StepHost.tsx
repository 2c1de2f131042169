import { Box, Grid, Text } from '@chakra-ui/react';
import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { SnapshotFrom } from 'xstate';
import { journeyAt, journeyOf, nameOf, type JourneyId } from '#machines/journeys.ts';
import { stateOf } from '#machines/state.ts';
import type { Opening, wizardMachine } from '#machines/wizard.machine.ts';
import { FailurePanel } from '#steps/kit/FailurePanel.tsx';
import type { Step } from '#steps/steps.ts';
import { useFacts } from './facts.tsx';
import { ChartDisclosure } from './drawings/ChartDisclosure.tsx';
import { GuidedSteps } from './GuidedSteps.tsx';
import { resultOf } from './guidedRows.ts';
import type { LiveJourney } from './pages.ts';
import { OfferBar } from './OfferBar.tsx';
import { PageHeading } from './PageHeading.tsx';
import { SkippedNote } from './SkippedNote.tsx';
import { StepView } from './StepView.tsx';
import { useArrival } from './useArrival.ts';
import { useJourney } from './useJourney.ts';
import { useKeptFocus } from './useKeptFocus.ts';
import { openingOf, useWizard } from './useWizard.ts';

interface StepHostProps {
  id: JourneyId;
  live: LiveJourney;
  Step: Step;
}

interface OpenStepProps extends StepHostProps {
  opening: Opening;
  query: URLSearchParams;
  /** Starts the page anew. */
  onAnew: () => void;
}

/** What the wizard offers, in words: the way back to the page that lacked something, or the next step. */
function offerOf(wizarding: SnapshotFrom<typeof wizardMachine>): string | null {
  const { back, next } = wizarding.context;
  const blocked = journeyAt(back?.split('?')[0] ?? '');
  if (wizarding.matches('returning')) return `Back to ${blocked ? nameOf(blocked) : 'the page before'}`;
  // The journey itself is next where something that it should have given holds the path up.
  return next && next !== wizarding.context.journey && wizarding.matches('offering') ? `Next: ${nameOf(next)}` : null;
}

function OpenStep({ id, live, Step, opening, query, onAnew }: OpenStepProps) {
  const { title, summary, group } = journeyOf(id);
  const { facts, failure, refresh } = useFacts();
  const onWorked = useCallback(() => void refresh(), [refresh]);
  const onSwitched = useCallback(() => {
    onWorked();
    onAnew();
  }, [onWorked, onAnew]);
  const { journey, snapshot } = useJourney(id, live, query, onWorked);
  const done = snapshot.hasTag('done');
  const { wizard, snapshot: wizarding } = useWizard(opening, { facts, done, closed: snapshot.status === 'done' });
  const complete = wizarding.matches('complete');
  const section = useArrival<HTMLDivElement>();
  useKeptFocus(section, snapshot);
  return (
    <Grid
      ref={section}
      // Where the page is, for whoever watches or scripts it.
      data-journey={id}
      data-state={stateOf(snapshot)}
      data-wizard={wizarding.value}
      gap="8"
      templateColumns={{ lg: opening.guided ? 'minmax(0, 1fr) 16rem' : 'minmax(0, 1fr)', base: 'minmax(0, 1fr)' }}
    >
      <Box display="grid" gap="4" alignContent="start" gridTemplateColumns="minmax(0, 1fr)">
        <div>
          {group && (
            <Text color="fg.muted" fontSize="sm">
              {group}
            </Text>
          )}
          <PageHeading title={group ? `${group}: ${title}` : title}>{title}</PageHeading>
          <Text color="fg.muted" maxWidth="measure">
            {summary}
          </Text>
        </div>
        {facts && (complete || wizarding.matches('offering') || wizarding.matches('returning')) && (
          <OfferBar
            result={resultOf(id, facts)}
            offer={offerOf(wizarding)}
            complete={complete}
            takesFocus={done}
            onNext={() => wizard.send({ type: 'next.accept' })}
            onClose={() => wizard.send({ type: 'result.close' })}
          />
        )}
        {failure && wizarding.matches('showing') && <FailurePanel problem={failure} onRetry={onWorked} />}
        <SkippedNote />
        <StepView
          id={id}
          Step={Step}
          journey={journey}
          snapshot={snapshot}
          guided={opening.guided}
          onSwitched={onSwitched}
        />
        <ChartDisclosure id={id} snapshot={snapshot} />
      </Box>
      {opening.guided && facts && <GuidedSteps current={id} facts={facts} />}
    </Grid>
  );
}

/** The page of a journey. Opened in another way (guided, to come back elsewhere, for another subscription) it starts anew. */
export function StepHost(props: StepHostProps) {
  const [query] = useSearchParams();
  const [turn, setTurn] = useState(0);
  const onAnew = useCallback(() => setTurn((last) => last + 1), []);
  const opening = openingOf(props.id, query);
  const key = `${opening.guided} ${opening.back} ${turn}`;
  return <OpenStep key={key} {...props} opening={opening} query={query} onAnew={onAnew} />;
}
