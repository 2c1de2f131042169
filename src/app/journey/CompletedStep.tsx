import { Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Made } from '#contract/facts.ts';
import { showsEarlier } from '#machines/console.shown.ts';
import { journeyOf, madeBy, type JourneyId } from '#machines/journeys.ts';
import { outcomeNow } from '#machines/outcome.ts';
import { Bar } from '#ui/Bar.tsx';
import { useConsole, useSend } from '../console/ConsoleProvider.tsx';
import { PreviousResult } from './PreviousResult.tsx';
import { Result } from '#steps/kit/Result.tsx';
import { Stack } from '#ui/surfaces.tsx';

/** The earlier result of a repeatable step. */
const useEarlier = (id: JourneyId): Made | undefined =>
  useConsole(({ context }) => (context.facts && journeyOf(id).another ? madeBy(id, context.facts) : undefined));

/**
 * For a step that was already done, shows its result and offers the form as a secondary action; once the user asks for
 * the form, shows the last result above it, unless that has failed. Otherwise renders `children`, the step.
 */
export function CompletedStep(props: {
  id: JourneyId;
  /** The step shows its form. */
  form: boolean;
  children: ReactNode;
}) {
  const { id, form, children } = props;
  const send = useSend();
  const made = useEarlier(id);
  const shown = useConsole(showsEarlier);
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
