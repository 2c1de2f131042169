import { Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Made } from '#contract/facts.ts';
import { journeyOf, madeBy, type JourneyId } from '#machines/journeys.ts';
import { outcomeNow } from '#machines/outcome.ts';
import { Bar } from '#ui/Bar.tsx';
import { useConsole, usePage, useSend } from '../console/console.tsx';
import { offers } from './NextStepOffer.tsx';
import { PreviousResult } from './PreviousResult.tsx';
import { Result } from '#steps/kit/Result.tsx';
import { Stack } from '#ui/surfaces.tsx';

/** The earlier result of a repeatable step, and whether it is shown instead of the step. */
interface Before {
  made: Made | undefined;
  shown: boolean;
  /** Whether the user is making another record: the offer of the next step belongs to the earlier one. */
  another: boolean;
}

/**
 * For a step that was already done when it was opened from the guided path: its result is shown instead of the step
 * until the user asks for another one. `ready`: the step has been opened.
 */
export function useBefore(id: JourneyId, ready: boolean): Before {
  const page = usePage();
  const isShown = useConsole((snapshot) => snapshot.matches({ earlier: 'shown' }));
  const made = useConsole(({ context }) =>
    context.facts && journeyOf(id).another ? madeBy(id, context.facts) : undefined,
  );
  const shown = isShown && made !== undefined && offers.includes(page);
  return {
    made,
    shown,
    another: ready && journeyOf(id).another !== undefined && !shown && page !== 'returning',
  };
}

/**
 * For a step that was already done, shows its result and offers the form as a secondary action; once the user asks for
 * the form, shows the last result above it, unless that has failed. Otherwise renders `children`, the step.
 */
export function CompletedStep(props: {
  id: JourneyId;
  before: Before;
  /** The step shows its form. */
  form: boolean;
  children: ReactNode;
}) {
  const { id, before, form, children } = props;
  const send = useSend();
  const { made, shown } = before;
  const hasFailed = useConsole(({ context }) => context.facts !== null && outcomeNow(id, context.facts) === 'failed');
  const choice = journeyOf(id).another;
  if (!made || !choice) return children;
  if (!shown)
    return (
      <>
        {form && !hasFailed && <PreviousResult id={id} made={made} />}
        {children}
      </>
    );
  return (
    <Stack gap="4" maxWidth="form">
      <Result made={made} />
      {choice.effect && (
        <Text color="fg.muted" fontSize="sm">
          {choice.effect}
        </Text>
      )}
      <Bar
        leave={[{ label: 'Close', onPress: () => send({ type: 'result.close' }) }]}
        secondary={[{ label: choice.label, onPress: () => send({ type: 'another.start' }) }]}
      />
    </Stack>
  );
}
