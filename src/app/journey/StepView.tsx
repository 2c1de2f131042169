import { Box, Button } from '@chakra-ui/react';
import { memo } from 'react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { shownRecord } from '#machines/console.shown.ts';
import { isSent } from '#machines/lib/messaging.ts';
import { hasTag } from '#machines/lib/state.ts';
import type { FormState } from '#machines/lib/form.ts';
import { gateOf, type JourneyContext } from '#machines/lib/gate.ts';
import { journeyOf, listOf, type JourneyId } from '#machines/journeys.ts';
import { isWriting } from '#machines/lib/effect.ts';
import { retrying, retryOf } from '#machines/lib/retry.ts';
import { repetitionHelps } from '#rules/repetition.ts';
import { Bar, SecondBar } from '#ui/Bar.tsx';
import { Card, Stack } from '#ui/surfaces.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { isRead, isResend } from '#ui/outcomeWords.ts';
import { Working } from '#steps/kit/Working.tsx';
import type { Step } from '#steps/step.ts';
import { useConsole, useIsReading } from '../console/ConsoleProvider.tsx';
import { Gate } from './Gate.tsx';
import { MadeCard } from './MadeCard.tsx';
import { masked } from '../client/mask.ts';
import { isLeftUnknown, type DraftState } from '#machines/lib/draft.ts';
import { StepSkeleton } from './StepSkeleton.tsx';
import { JsonView } from '#ui/JsonView.tsx';

const ResultSkeleton = () => <Card minHeight="9rem" maxWidth="form" />;

/** The members of a journey's context that the page reads: the common ones, those of a form, and the result. */
export const contextOf = (snapshot: AnyMachineSnapshot) =>
  snapshot.context as JourneyContext & Partial<FormState & DraftState> & { result?: unknown }; // every journey's context extends JourneyContext

/** The button that leads to the list of a page's records, where its address names one that cannot be read. */
function ToList({ id, failure }: { id: JourneyId; failure: Problem }) {
  const { about = '' } = journeyOf(id);
  const names = new URLSearchParams(useLocation().search).has(about);
  const list = listOf(id);
  if (!list || !names || !isRead(failure) || repetitionHelps(failure)) return null;
  return (
    <Button asChild>
      <RouterLink to={list.path}>{list.title}</RouterLink>
    </Button>
  );
}

/** `alone`: the step's component is not rendered, so its Close button is missing. */
function Failure(props: { id: JourneyId; journey: AnyActorRef; snapshot: AnyMachineSnapshot; alone: boolean }) {
  const { id, journey, snapshot, alone } = props;
  const { failure } = contextOf(snapshot);
  if (!failure) return null;
  return (
    <FailurePanel problem={failure} sent={isSent(snapshot, failure)} {...retrying(journey, failure)}>
      {alone && <Bar leave={[{ label: 'Close', onPress: () => journey.send({ type: 'form.cancel' }) }]} />}
      <ToList id={id} failure={failure} />
    </FailurePanel>
  );
}

/** Whether the panel of the failure has the primary button, which resends the request. */
function offersResend(snapshot: AnyMachineSnapshot): boolean {
  const { failure } = contextOf(snapshot);
  return (
    hasTag(snapshot, 'failed') &&
    failure !== null &&
    snapshot.can({ type: 'retry' }) &&
    isResend(failure, retryOf(snapshot, failure))
  );
}

/** The step's component. It subscribes to the journey itself, so it does not re-render with the page around it. */
const Own = memo(function Own({ Step, journey }: { Step: Step; journey: AnyActorRef }) {
  // The registries pair each step with the machine of its own journey.
  return <Step actor={journey as never} />;
});

/** A step; while it is being sent, an overlay covers it without changing its size (behaviour, section 2). */
function Drawn(props: { Step: Step; journey: AnyActorRef; busy: boolean; covered: boolean }) {
  const { Step, journey, busy, covered } = props;
  return (
    <Box position="relative" aria-busy={busy}>
      <Own Step={Step} journey={journey} />
      {covered && <Box position="absolute" inset="0" bg="bg" opacity="0.4" cursor="progress" />}
    </Box>
  );
}

/** Whether the page renders the journey's own component. */
const isDrawn = (snapshot: AnyMachineSnapshot): boolean => snapshot.hasTag('form') || snapshot.hasTag('list');

/** The record that the step has just created, once the facts contain it; until then the call's raw result. */
function CreatedNow({ snapshot }: { snapshot: AnyMachineSnapshot }) {
  const made = useConsole(shownRecord);
  const reading = useIsReading();
  const { result } = contextOf(snapshot);
  if (made) return <MadeCard made={made} />;
  if (reading) return <ResultSkeleton />;
  return result === undefined ? null : <JsonView value={masked(result)} what="result" />;
}

/** Renders a journey by the tags of its state (machines/lib/gate.ts); the step renders only forms and lists. */
export function StepView(props: {
  id: JourneyId;
  Step: Step;
  journey: AnyActorRef;
  snapshot: AnyMachineSnapshot;
  guided: boolean;
}) {
  const { id, Step, journey, snapshot, guided } = props;
  const busy = hasTag(snapshot, 'busy');
  const drawn = isDrawn(snapshot);
  const gate = gateOf(snapshot);
  const { facts } = contextOf(snapshot);
  return (
    <Stack gap="4">
      {(hasTag(snapshot, 'failed') || isLeftUnknown(contextOf(snapshot))) && (
        <Failure id={id} journey={journey} snapshot={snapshot} alone={!drawn} />
      )}
      {gate && (
        <Gate
          journey={id}
          gate={gate}
          facts={facts}
          guided={guided}
          onClose={() => journey.send({ type: 'alert.close' })}
          onInstead={(type) => journey.send({ type })}
        />
      )}
      {drawn && (
        <SecondBar second={offersResend(snapshot)}>
          <Drawn Step={Step} journey={journey} busy={busy} covered={busy && !snapshot.hasTag('open')} />
        </SecondBar>
      )}
      {busy && !snapshot.hasTag('told') && (drawn ? <Working sends={isWriting(snapshot)} /> : <StepSkeleton />)}
      {snapshot.hasTag('done') && !drawn && <CreatedNow snapshot={snapshot} />}
    </Stack>
  );
}
