import { useSelector } from '@xstate/react';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import { parse } from '#contract/json.ts';
import type { Facts } from '#contract/facts.ts';
import type { FormState } from '#machines/lib/form.ts';
import type { JourneyId } from '#machines/journeys.ts';
import type { EnteredProps } from '#steps/kit/Result.tsx';
import { pointerOf, valueAt } from '#ui/json/lines.ts';
import { useTimeline } from '../api/useTimeline.ts';
import { useConsole } from '../console/console.tsx';
import { previewOf } from '../inspector/preview.ts';
import { makingOf } from '../inspector/records.ts';
import { enteredIn } from './StepResult.tsx';

/** The JSON of a body; undefined if it is none. */
function jsonOf(body: string): unknown {
  try {
    return parse(body);
  } catch {
    return undefined;
  }
}

/** A value as it was typed; undefined if it is none of a field: a list, an object, or a text that holds one. */
function typed(value: unknown): string | undefined {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  return typeof value === 'string' && typeof jsonOf(value) !== 'object' ? value : undefined;
}

/** The values of a form's fields in the body of a sent request; null if the journey has no form open, or sends no such body. */
function formIn(
  id: JourneyId,
  snapshot: AnyMachineSnapshot,
  facts: Facts,
  sent: string,
): Pick<FormState, 'form' | 'values'> | null {
  const { form } = snapshot.context as Partial<FormState>; // of a journey with a form
  const preview = form && snapshot.hasTag('form') ? previewOf(id, snapshot, facts) : null;
  const body = jsonOf(sent);
  if (!form || !preview || body === undefined) return null;
  const values = form.fields.flatMap((field) => {
    // The preview of an empty form lacks the objects around a value, which the rule's path names.
    const paths = [preview.lineOf(field.id) ?? [], ...field.paths.map((path) => `data.${path}`)].flat();
    const value = paths.map((path) => typed(valueAt(body, pointerOf(path)))).find((each) => each !== undefined);
    return value === undefined ? [] : [[field.id, value] as const];
  });
  return { form, values: Object.fromEntries(values) };
}

/**
 * Renders a result that is opened later with the values entered, from the call that created it; with none if the timeline
 * has not kept that call.
 */
export function EnteredLater({ made, children }: EnteredProps) {
  const { facts, opening, step } = useConsole(({ context }) => context);
  const snapshot = useSelector<AnyActorRef | undefined, AnyMachineSnapshot | undefined>(step ?? undefined, (now?: AnyMachineSnapshot) => now); // prettier-ignore
  const { entries } = useTimeline({ id: made.id, kind: 'service', status: String(made.status) }, 10);
  const call = makingOf(entries);
  const form = call && facts && opening && snapshot && formIn(opening.journey, snapshot, facts, call.request.body);
  return children(form ? enteredIn(made, form) : {});
}
