import { Box, Button, Grid } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import { unavailableBecause } from '#machines/console.ts';
import { journeyAt, nameOf, type JourneyId } from '#machines/journeys.ts';
import { stateOf } from '#machines/state.ts';
import { Bar, SecondBar } from '#steps/kit/Bar.tsx';
import { BesideHeadingProvider } from '#steps/kit/BesideHeading.tsx';
import { chunk } from '#steps/kit/chunk.ts';
import { EvidenceProvider, type EvidenceProps } from '#steps/kit/Evidence.tsx';
import { FailurePanel } from '#steps/kit/FailurePanel.tsx';
import { Skeleton } from '#steps/kit/Skeleton.tsx';
import { openingAt, useConsole, useFacts, useSend } from './console.tsx';
import { Finished } from './Finished.tsx';
import { resultOf } from './guidedRows.ts';
import { headings } from './headings.ts';
import { Inspector } from './inspector/slot.ts';
import { offers, said, Said } from './offer.tsx';
import { Rail } from './Rail.tsx';
import { RailLine } from './RailLine.tsx';
import { stepOf } from './run.ts';
import { SkippedNote } from './SkippedNote.tsx';
import { StepHeading } from './StepHeading.tsx';
import { StepView } from './StepView.tsx';
import { useArrival } from './useArrival.ts';
import { useKeptFocus } from './useKeptFocus.ts';
import { Loading } from './Working.tsx';

const Passed = lazy(() => chunk(async () => import('./evidence/Passed.tsx')));
const tell = (props: EvidenceProps) => <Passed {...props} />;

/**
 * The label of the onward button once the step is done: back to the page that lacked something, or the next step; '' if
 * neither.
 */
function useOnward(id: JourneyId): string {
  const state = useConsole(({ value }) => value);
  const next = useConsole(({ context }) => context.next);
  const back = useConsole(({ context }) => context.opening?.back ?? '');
  const blocked = journeyAt(back.split('?')[0] ?? '');
  if (state === 'returning') return `Back to ${blocked ? nameOf(blocked) : 'the page before'}`;
  // The journey is its own next step while it has not yet provided everything that the path needs.
  return state === 'offering' && next && next !== id ? `Next: ${nameOf(next)}` : '';
}

/**
 * The wizard's part of the bar once the step is done: the result, and the way back to the page that lacked something or
 * to the next step. `left`: the step is no longer rendered, so its own Close button is missing as well.
 */
function Offer({ id, left, onward }: { id: JourneyId; left: boolean; onward: string }) {
  const send = useSend();
  const facts = useFacts();
  const state = useConsole(({ value }) => value);
  const failure = useConsole(({ context }) => context.failure);
  if (state === 'showing' && failure) return <FailurePanel problem={failure} onRetry={() => send({ type: 'retry' })} />;
  if (!facts || !offers.includes(state)) return null;
  return (
    <Bar
      leave={left ? [{ label: 'Close', onPress: () => send({ type: 'result.close' }) }] : []}
      reason={<Said takesFocus={left}>{said(resultOf(id, facts), state === 'complete')}</Said>}
      primary={onward === '' ? null : { label: onward, onPress: () => send({ type: 'next.accept' }) }}
    />
  );
}

/** Shown while a journey waits for its code and the facts, or when it cannot be opened without them. */
function Unopened({ state }: { state: string }) {
  const send = useSend();
  const problem = useConsole(({ context }) => unavailableBecause(context));
  if (state !== 'unavailable' || !problem) return <Loading />;
  return (
    <>
      <FailurePanel problem={problem} onRetry={() => send({ type: 'retry' })} />
      <Bar leave={[{ label: 'Close', onPress: () => send({ type: 'result.close' }) }]} />
    </>
  );
}

/** Grid columns of step and inspector side by side. */
const beside = 'minmax(0, {sizes.step}) minmax({sizes.inspector}, 1fr)';

function OpenStep({ id, guided }: { id: JourneyId; guided: boolean }) {
  const facts = useFacts();
  const state = useConsole(({ value }) => value);
  const journey = useConsole(({ context }) => context.step);
  const snapshot = useSelector<AnyActorRef | undefined, AnyMachineSnapshot | undefined>(journey ?? undefined, (now?: AnyMachineSnapshot) => now); // prettier-ignore
  const section = useArrival<HTMLDivElement>();
  useKeptFocus(section, snapshot ?? state);
  const [besideHeading, setBesideHeading] = useState<HTMLElement | null>(null);
  const onward = useOnward(id);
  const left = snapshot?.status === 'done';
  // Lists and tables take the full width; the inspector follows below unless the user puts it beside.
  const { wide = false } = headings[id];
  const [asked, setAsked] = useState(false);
  const isBeside = !wide || asked;
  return (
    <Grid
      // The page's state, for tests and scripts.
      data-journey={id}
      data-state={snapshot && stateOf(snapshot)}
      data-wizard={state}
      flex="1"
      gridTemplateRows={isBeside ? { base: 'auto 1fr', lg: '1fr' } : { base: 'auto auto 1fr', lg: 'auto 1fr' }}
      gridTemplateColumns={{
        base: 'minmax(0, 1fr)',
        md: isBeside ? beside : 'minmax(0, 1fr)',
        lg: `{sizes.rail} ${isBeside ? beside : 'minmax(0, 1fr)'}`,
      }}
      bg="bg"
    >
      <Rail current={id} facts={facts} />
      <RailLine current={id} facts={facts} />
      {/* The padding leaves room for the arriving step, so that the page never scrolls sideways. */}
      <Box px={{ base: '6', lg: '10' }} py="8" minWidth="0">
        <Box ref={section} display="grid" gap="6" alignContent="start" gridTemplateColumns="minmax(0, 1fr)">
          <StepHeading id={id} facts={facts} beside={setBesideHeading}>
            {wide && (
              <Button size="sm" hideBelow="md" onClick={() => setAsked(!asked)}>
                {asked ? 'Inspector below' : 'Inspector beside'}
              </Button>
            )}
          </StepHeading>
          <Offer id={id} left={left} onward={onward} />
          <SkippedNote />
          <SecondBar second={onward !== ''}>
            {journey && snapshot ? (
              <BesideHeadingProvider value={besideHeading}>
                <EvidenceProvider value={tell}>
                  <Finished id={id}>
                    <StepView id={id} Step={stepOf(journey)} journey={journey} snapshot={snapshot} guided={guided} />
                  </Finished>
                </EvidenceProvider>
              </BesideHeadingProvider>
            ) : (
              <Unopened state={state} />
            )}
          </SecondBar>
        </Box>
      </Box>
      {journey && snapshot && (
        <Box
          bg="bg.subtle"
          borderStartWidth={{ md: isBeside ? '1px' : '0' }}
          borderTopWidth={{ base: '1px', md: isBeside ? '0' : '1px' }}
          minWidth="0"
          // Aligns the inspector with the list above.
          px={{ lg: isBeside ? '0' : '5' }}
        >
          <Box
            {...(isBeside && {
              position: { md: 'sticky' },
              top: { base: '0', lg: '{sizes.top}' },
              maxHeight: {
                md: 'calc(100dvh - var(--below, 5rem))',
                lg: 'calc(100dvh - {sizes.top} - var(--below, 5rem))',
              },
              overflow: { md: 'auto' },
            })}
          >
            <Suspense>
              <Inspector id={id} journey={journey} snapshot={snapshot} />
            </Suspense>
          </Box>
        </Box>
      )}
    </Grid>
  );
}

/** The page of a journey. It is remounted if it is opened in another way (guided, or with a page to return to). */
export function StepHost({ id }: { id: JourneyId }) {
  const { pathname, search } = useLocation();
  const { guided = false, back = null } = openingAt(pathname, search) ?? {};
  // The router renders a new address before the machine receives it.
  const here = useConsole(({ context }) => context.opening?.journey === id);
  const state = useConsole(({ value }) => value);
  const error = useConsole(({ context }) => context.error);
  const loaded = useConsole(({ context }) => context.loaded);
  if (here && state === 'broken') throw error;
  if (!here || (!loaded && state !== 'unavailable')) return <Skeleton lines={6} />;
  return <OpenStep key={`${guided} ${back}`} id={id} guided={guided} />;
}
