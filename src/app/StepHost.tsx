import { Box, Button, Grid, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useLocation } from 'react-router-dom';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import { unavailableBecause } from '#machines/console.ts';
import { journeyAt, journeyOf, nameOf, type JourneyId } from '#machines/journeys.ts';
import { stateOf } from '#machines/state.ts';
import { FailurePanel } from '#steps/kit/FailurePanel.tsx';
import { Skeleton } from '#steps/kit/Skeleton.tsx';
import { openingAt, useConsole, useFacts, useSend } from './console.tsx';
import { ChartDisclosure } from './drawings/ChartDisclosure.tsx';
import { GuidedSteps } from './GuidedSteps.tsx';
import { resultOf } from './guidedRows.ts';
import { OfferBar } from './OfferBar.tsx';
import { PageHeading } from './PageHeading.tsx';
import { stepOf } from './run.ts';
import { SkippedNote } from './SkippedNote.tsx';
import { StepView } from './StepView.tsx';
import { useArrival } from './useArrival.ts';
import { useKeptFocus } from './useKeptFocus.ts';
import { Loading } from './Working.tsx';

/** What the wizard says once the step is done: the way back to the page that lacked something, or the next step. */
function Offer({ id, done }: { id: JourneyId; done: boolean }) {
  const send = useSend();
  const facts = useFacts();
  const state = useConsole(({ value }) => value);
  const next = useConsole(({ context }) => context.next);
  const back = useConsole(({ context }) => context.opening?.back ?? '');
  const failure = useConsole(({ context }) => context.failure);
  if (state === 'showing' && failure) return <FailurePanel problem={failure} onRetry={() => send({ type: 'retry' })} />;
  if (!facts || !['complete', 'offering', 'returning'].includes(state)) return null;
  const blocked = journeyAt(back.split('?')[0] ?? '');
  // The journey itself is next where something that it should have given holds the path up.
  const onward = state === 'offering' && next && next !== id ? `Next: ${nameOf(next)}` : null;
  return (
    <OfferBar
      result={resultOf(id, facts)}
      offer={state === 'returning' ? `Back to ${blocked ? nameOf(blocked) : 'the page before'}` : onward}
      complete={state === 'complete'}
      takesFocus={done}
      onNext={() => send({ type: 'next.accept' })}
      onClose={() => send({ type: 'result.close' })}
    />
  );
}

/** A journey that waits for its code and the facts, or cannot be opened without them. */
function Unopened({ state }: { state: string }) {
  const send = useSend();
  const problem = useConsole(({ context }) => unavailableBecause(context));
  if (state !== 'unavailable' || !problem) return <Loading />;
  return (
    <FailurePanel problem={problem} onRetry={() => send({ type: 'retry' })}>
      <Button onClick={() => send({ type: 'result.close' })}>Close</Button>
    </FailurePanel>
  );
}

function OpenStep({ id, guided }: { id: JourneyId; guided: boolean }) {
  const { title, summary, group } = journeyOf(id);
  const facts = useFacts();
  const state = useConsole(({ value }) => value);
  const journey = useConsole(({ context }) => context.step);
  const snapshot = useSelector<AnyActorRef | undefined, AnyMachineSnapshot | undefined>(journey ?? undefined, (now?: AnyMachineSnapshot) => now); // prettier-ignore
  const section = useArrival<HTMLDivElement>();
  useKeptFocus(section, snapshot ?? state);
  return (
    <Grid
      ref={section}
      // Where the page is, for whoever watches or scripts it.
      data-journey={id}
      data-state={snapshot && stateOf(snapshot)}
      data-wizard={state}
      gap="8"
      templateColumns={{ lg: guided ? 'minmax(0, 1fr) 16rem' : 'minmax(0, 1fr)', base: 'minmax(0, 1fr)' }}
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
        <Offer id={id} done={snapshot?.hasTag('done') ?? false} />
        <SkippedNote />
        {journey && snapshot ? (
          <>
            <StepView id={id} Step={stepOf(journey)} journey={journey} snapshot={snapshot} guided={guided} />
            <ChartDisclosure id={id} snapshot={snapshot} />
          </>
        ) : (
          <Unopened state={state} />
        )}
      </Box>
      {guided && facts && <GuidedSteps current={id} facts={facts} />}
    </Grid>
  );
}

/** The page of a journey. Opened in another way (guided, to come back elsewhere) it is another page. */
export function StepHost({ id }: { id: JourneyId }) {
  const { pathname, search } = useLocation();
  const { guided = false, back = null } = openingAt(pathname, search) ?? {};
  // An address is drawn before the machine hears of it.
  const here = useConsole(({ context }) => context.opening?.journey === id);
  const state = useConsole(({ value }) => value);
  const error = useConsole(({ context }) => context.error);
  const loaded = useConsole(({ context }) => context.loaded);
  if (here && state === 'broken') throw error;
  if (!here || (!loaded && state !== 'unavailable')) return <Skeleton lines={6} />;
  return <OpenStep key={`${guided} ${back}`} id={id} guided={guided} />;
}
