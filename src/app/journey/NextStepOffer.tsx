import { unavailableBecause } from '#machines/console.ts';
import { isPathComplete } from '#machines/outcome.ts';
import { journeyOf, type JourneyId } from '#machines/journeys.ts';
import { Bar } from '#ui/Bar.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { useConsole, useFacts, usePage, useReadAgain, useSend } from '../console/ConsoleProvider.tsx';
import { doneText } from '../frame/guidedRows.ts';
import { StepSkeleton } from './StepSkeleton.tsx';
import { chakra } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { withShortIds } from '#rules/shortId.ts';

/** The step's result in words; '' if there is nothing to add to the page's heading. */
const said = (result: string, complete: boolean): string =>
  [result && `${result}.`, complete && 'The guided path is complete.'].filter(Boolean).join(' ');

/** Shows the step's result, with full ids in the tooltip; takes the focus when the form that had it is removed. */
function DoneStatus({ takesFocus, children }: { takesFocus: boolean; children: string }) {
  const status = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (takesFocus) status.current?.focus();
  }, [takesFocus]);
  return (
    <chakra.span ref={status} tabIndex={-1} role="status" overflowWrap="anywhere" title={children}>
      {withShortIds(children)}
    </chakra.span>
  );
}

/**
 * The wizard's part of the bar once the step is done: the result, and the button back to the page with the missing
 * requirement or to the next step. `left`: the step is no longer rendered, so its own Close button is missing too.
 * `named`: the page's heading already says what was created, or its status.
 */
export function NextStepOffer(props: { id: JourneyId; left: boolean; named: boolean; onward: string }) {
  const { id, left, named, onward } = props;
  const send = useSend();
  const facts = useFacts();
  const page = usePage();
  const isOffered = useConsole((snapshot) => snapshot.hasTag('offered'));
  const failure = useConsole(({ context }) => context.failure);
  const again = useReadAgain();
  if (page === 'showing' && failure) return <FailurePanel problem={failure} {...again} />;
  if (!facts || !isOffered || (onward === '' && journeyOf(id).continues)) return null;
  const words = said(named ? '' : doneText(id, facts), page === 'complete' && isPathComplete(facts));
  return (
    <Bar
      onward
      leave={left ? [{ label: 'Close', onPress: () => send({ type: 'result.close' }) }] : []}
      reason={words === '' ? undefined : <DoneStatus takesFocus={left && !named}>{words}</DoneStatus>}
      primary={onward === '' ? null : { label: onward, onPress: () => send({ type: 'next.accept' }) }}
    />
  );
}

/** Shown while a journey waits for its code and the facts, or when it cannot be opened without them. */
export function Unopened() {
  const send = useSend();
  const page = usePage();
  const problem = useConsole(({ context }) => unavailableBecause(context));
  const again = useReadAgain();
  if (page !== 'unavailable' || !problem) return <StepSkeleton />;
  return (
    <>
      <FailurePanel problem={problem} {...again} />
      <Bar leave={[{ label: 'Close', onPress: () => send({ type: 'result.close' }) }]} />
    </>
  );
}
