import { useSelector } from '@xstate/react';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { FormState } from '#machines/lib/form.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { valuesIn } from '#rules/prefill.ts';
import type { EnteredProps } from '#steps/kit/Result.tsx';
import type { JourneyStep } from '#steps/step.ts';
import { steps } from '#steps/steps.ts';
import { useTimeline } from '../api/useTimeline.ts';
import { useConsole } from '../console/console.tsx';
import { makingOf } from '../inspector/records.ts';
import { enteredIn } from './StepResult.tsx';

/** The form that a sent request was filled in with, and its values; null if the journey has none. */
function formIn(id: JourneyId, snapshot: AnyMachineSnapshot, body: string): Pick<FormState, 'form' | 'values'> | null {
  const { entered }: JourneyStep = steps[id];
  const { form: own } = snapshot.context as Partial<FormState>; // of a journey with a form
  const form = entered?.formOf?.(snapshot, body) ?? own;
  return entered && form ? { form, values: valuesIn(form, body, entered.lead) } : null;
}

/**
 * Renders a result that is opened later with the values entered, from the call that created it; with none if the timeline
 * has not kept that call.
 */
export function EnteredLater({ made, children }: EnteredProps) {
  const opening = useConsole(({ context }) => context.opening);
  const step = useConsole(({ context }) => context.step);
  const snapshot = useSelector<AnyActorRef | undefined, AnyMachineSnapshot | undefined>(
    step ?? undefined,
    (now?: AnyMachineSnapshot) => now, // eslint-disable-line no-restricted-syntax -- each journey declares what it reads of it
  );
  const { entries } = useTimeline({ id: made.interactionId, kind: 'service' }, 10);
  const call = makingOf(entries, made.interactionId);
  const form = call && opening && snapshot && formIn(opening.journey, snapshot, call.request.body);
  return children(form ? enteredIn(made, form) : {});
}
