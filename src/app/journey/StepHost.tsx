import { Box, Button, Grid } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useMemo, useState, type KeyboardEvent } from 'react';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import { offersOnward, onwardLabel, shownRecord, showsEarlier } from '#machines/console.shown.ts';
import { madeBy, type JourneyId } from '#machines/journeys.ts';
import type { JourneyContext } from '#machines/lib/gate.ts';
import { retrying } from '#machines/lib/retry.ts';
import { stateOf } from '#machines/lib/state.ts';
import { SecondBar } from '#ui/Bar.tsx';
import { StepTitleProvider, type Title } from '#ui/StepTitle.tsx';
import { BesideHeadingProvider } from '#ui/BesideHeading.tsx';
import { ChosenEvidenceContext, entryOf, type Evidence } from './inspector/chosenEvidence.ts';
import { Inspector } from './inspector/Inspector.tsx';
import { useExchanges } from './inspector/OfStep.tsx';
import { EvidenceProvider, type EvidenceProps } from '#steps/kit/Evidence.tsx';
import { FrameMachineProvider } from '#steps/kit/EmbeddedPage.tsx';
import { RecordContext } from '#ui/RowChooser.tsx';
import type { Step } from '#steps/step.ts';
import { steps } from '#steps/steps.ts';
import { frame } from '../effects/messages.ts';
import { useConsole, useFacts, usePage } from '../console/ConsoleProvider.tsx';
import { onceBack } from '../console/onceBack.ts';
import { CompletedStep } from './CompletedStep.tsx';
import { InspectorRegion } from './InspectorRegion.tsx';
import { NextStepOffer, Unopened } from './NextStepOffer.tsx';
import { Rail } from './Rail.tsx';
import { RailLine } from './RailLine.tsx';
import { SkippedNote } from './SkippedNote.tsx';
import { StepHeading } from './StepHeading.tsx';
import { StepView } from './StepView.tsx';
import { useRestoreHeadingFocus } from '../frame/PageHeading.tsx';
import { StepPlaceholder } from '../frame/StepPlaceholder.tsx';
import { PendingRegion } from './pendingRegion.ts';
import { useChosenRecord } from './useChosenRecord.ts';
import { History } from './History.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { useArrival } from '#ui/useArrival.ts';

/** The page of a journey. */
export const JourneyPage = ({ id }: { id: JourneyId }) => <StepHost id={id} Step={steps[id].Step} />;

const tell = (props: EvidenceProps) => <History {...props} />;

/**
 * Whether the inspector is open. If it folds, because a list, a table or raw JSON uses its width or it has nothing to
 * show, it is open once the user chose a row or a line of a history, or opened it. Beside a form it is always open.
 */
function useInspector(folds: boolean) {
  const { record, moved } = useChosenRecord();
  const [asked, setAsked] = useState(false);
  const [evidence, setEvidence] = useState<Evidence | null>(null);
  const choosing = useMemo(() => ({ id: entryOf(evidence), choose: setEvidence }), [evidence]);
  const open = !folds || asked || record.id !== '' || evidence !== null;
  const close = () => {
    const opener = ['[data-chooses][aria-expanded=true]', 'li [aria-expanded=true]', '[data-inspector]'].map((each) => document.querySelector<HTMLElement>(each)); // prettier-ignore
    opener.find(Boolean)?.focus();
    setAsked(false);
    setEvidence(null);
    record.choose('');
  };
  const onKeyDown = ({ key, target, defaultPrevented }: KeyboardEvent) => {
    // A focused field or dialog handles Escape itself.
    const elsewhere = (target as Element).closest('input, select, textarea, dialog, [role$=dialog], [role=listbox]'); // a key's target is an element
    if (key === 'Escape' && folds && open && !defaultPrevented && !elsewhere) close();
  };
  return {
    record,
    evidence,
    choosing,
    moved,
    open,
    onKeyDown,
    onClose: folds ? close : undefined,
    ask: () => (open ? close() : setAsked(true)),
  };
}

/** Whether the step shows a form to fill in, not its review. */
function isFilledIn(snapshot: AnyMachineSnapshot): boolean {
  const { prepared = null } = snapshot.context as { prepared?: object | null }; // set in a payment's context
  return snapshot.hasTag('form') && prepared === null;
}

/** Repeats what a journey has failed to read, where `retry` does nothing else. */
const repeatReads = (journey: AnyActorRef): (() => void) =>
  onceBack(
    journey,
    ({ context }: AnyMachineSnapshot) => (context as JourneyContext).failure,
    (failure) => {
      const offer = retrying(journey, failure);
      if ('retry' in offer && offer.retry === 'reads') offer.onRetry();
    },
  );

/** The title of a record that is being read: the step's name, without an introduction, which the record would push away. */
const untitled: Title = { text: '', status: '', introduction: '' };

function OpenStep({ id, Step, guided }: { id: JourneyId; Step: Step; guided: boolean }) {
  const facts = useFacts();
  const page = usePage();
  const journey = useConsole(({ context }) => context.step);
  const snapshot = useSelector<AnyActorRef | undefined, AnyMachineSnapshot | undefined>(
    journey ?? undefined,
    (now?: AnyMachineSnapshot) => now, // eslint-disable-line no-restricted-syntax -- hands it to any journey's step
  );
  useEffect(() => (journey ? repeatReads(journey) : undefined), [journey]);
  const section = useArrival<HTMLDivElement>('translateX(12px)');
  useRestoreHeadingFocus(section, snapshot ?? page);
  const [besideHeading, setBesideHeading] = useState<HTMLElement | null>(null);
  const [title, setTitle] = useState<Title | null>(null);
  const earlier = useConsole(showsEarlier);
  const record = useConsole(shownRecord);
  const left = snapshot?.status === 'done';
  const offered = useConsole(offersOnward);
  const onward = useConsole(onwardLabel);
  const { layout } = steps[id];
  const wide = layout !== 'form';
  const hasRequest = steps[id].preview !== undefined;
  // A record that is there is read at once: what it will show has its place from the start.
  const readsRecord = !hasRequest && facts !== null && madeBy(id, facts) !== undefined;
  // Without a request to come, the inspector has nothing to show until one was sent.
  const isEmpty = useExchanges(id, facts).length === 0 && !hasRequest && !readsRecord;
  const folds = layout === 'list' || isEmpty;
  const { record: chosen, evidence, choosing, moved, open, onKeyDown, onClose, ask } = useInspector(folds);
  return (
    <Grid
      // The page's state, for tests and scripts.
      data-journey={id}
      data-state={snapshot && stateOf(snapshot)}
      data-wizard={page}
      flex="1"
      gridTemplateRows={{ base: 'auto 1fr', lg: '1fr' }}
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: '{sizes.rail} minmax(0, 1fr)' }}
      bg="bg"
      onKeyDown={onKeyDown}
    >
      <Rail current={id} facts={facts} />
      <RailLine current={id} facts={facts} />
      {/* Below a list, which grows as it is read, the inspector begins below the window. The padding leaves room for the arriving step, so that the page never scrolls sideways. */}
      <Box
        px={{ base: '6', lg: '8' }}
        py="8"
        minWidth="0"
        minHeight={{ base: wide || readsRecord ? '100dvh' : undefined, md: '0' }}
      >
        <Stack ref={section} gap="6" alignContent="start">
          <StepHeading id={id} facts={facts} title={title ?? (readsRecord ? untitled : null)} beside={setBesideHeading}>
            {folds && (
              <Button size="sm" hideBelow="md" data-inspector aria-expanded={open} onClick={ask}>
                Inspector
              </Button>
            )}
          </StepHeading>
          {offered && (
            <NextStepOffer
              id={id}
              left={left}
              named={record !== undefined || (title !== null && title.text !== '')}
              onward={onward}
            />
          )}
          {steps[id].pendingPayments && facts && facts.pendingPayments.length > 0 && <PendingRegion />}
          <SkippedNote />
          <SecondBar second={onward !== ''}>
            {journey && snapshot ? (
              <BesideHeadingProvider value={besideHeading}>
                <StepTitleProvider value={setTitle}>
                  <EvidenceProvider value={tell}>
                    <ChosenEvidenceContext value={choosing}>
                      <FrameMachineProvider value={frame}>
                        <RecordContext value={chosen}>
                          <CompletedStep id={id} form={isFilledIn(snapshot)}>
                            <StepView id={id} Step={Step} journey={journey} snapshot={snapshot} guided={guided} />
                          </CompletedStep>
                        </RecordContext>
                      </FrameMachineProvider>
                    </ChosenEvidenceContext>
                  </EvidenceProvider>
                </StepTitleProvider>
              </BesideHeadingProvider>
            ) : (
              <Unopened />
            )}
          </SecondBar>
        </Stack>
      </Box>
      <InspectorRegion
        beside={wide ? 'list' : 'form'}
        record={chosen.id || choosing.id}
        moved={moved || evidence !== null}
        open={open}
      >
        {journey && snapshot && (
          <Inspector
            id={id}
            snapshot={snapshot}
            record={chosen.id}
            evidence={evidence}
            made={earlier ? record : undefined}
            onClose={open ? onClose : undefined}
          />
        )}
      </InspectorRegion>
    </Grid>
  );
}

/** The page of a journey around its component. Remounts if it is opened in another way, or for another record. */
export function StepHost({ id, Step }: { id: JourneyId; Step: Step }) {
  const opening = useConsole(({ context }) => context.opening);
  // The router renders a new address before the machine receives it.
  const here = opening?.journey === id;
  const page = usePage();
  const error = useConsole(({ context }) => context.error);
  const isLoaded = useConsole(({ context }) => context.code !== null);
  if (here && page === 'broken') throw error;
  if (!here || (!isLoaded && page !== 'unavailable')) return <StepPlaceholder id={id} />;
  return <OpenStep key={opening.query} id={id} Step={Step} guided={opening.guided} />;
}
