import type { AnyActorRef, AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { FormState } from '#machines/form.ts';
import { journeyOrder, type JourneyId } from '#machines/journeys.ts';
import type { Form, Values } from '#rules/field.ts';
import { ofTab } from './storage.ts';

/**
 * The unsent choices and input of a journey, kept in this tab's session storage so that a reload loses nothing: the
 * last choice of each kind, and the form's values by field. Only fields of the open form are restored.
 */
interface Draft {
  choices: Readonly<Record<string, AnyEventObject>>;
  fields: Values;
}

/** Events that choose one of several options, in dependency order: a later choice builds on the earlier ones. */
const choiceTypes = [
  'provider.choose',
  'path.choose',
  'format.choose',
  'debtor.choose',
  'date.choose',
  'invoices.tick',
  'form.fill',
];

const slotOf = (id: JourneyId): string => `draft:${id}`;

const read = (id: JourneyId): Draft =>
  (JSON.parse(ofTab().getItem(slotOf(id)) ?? 'null') as Draft | null) ?? { choices: {}, fields: {} }; // only write writes it

const write = (id: JourneyId, draft: Draft): void => ofTab().setItem(slotOf(id), JSON.stringify(draft));

/** Stores a choice or a field's value from an event; ignores all other events. */
export function keepDraft(id: JourneyId, event: AnyEventObject): void {
  const { choices, fields } = read(id);
  if (event.type === 'form.fill') ofTab().setItem('examples', 'true');
  if (event.type === 'form.change') {
    const { field, value } = event as unknown as { field: string; value: string }; // the event of machines/form.ts
    write(id, { choices, fields: { ...fields, [field]: value } });
  } else if (choiceTypes.includes(event.type)) write(id, { choices: { ...choices, [event.type]: event }, fields });
  else if (event.type === 'provider.clear') write(id, { choices: {}, fields });
}

/** Whether the user of this tab has filled a form with its examples. */
const likesExamples = (): boolean => ofTab().getItem('examples') === 'true';

const dropDraft = (id: JourneyId): void => ofTab().removeItem(slotOf(id));

/** Deletes everything that was kept in this tab. */
export function dropDrafts(): void {
  for (const id of journeyOrder) dropDraft(id);
  ofTab().removeItem('examples');
}

/**
 * Deletes the drafts of another user of this tab, whose session may have ended without signing out. `subject`
 * identifies the signed-in user independently of the displayed name; '' if no sign-in is required.
 */
export function claimDrafts(subject: string): void {
  if (ofTab().getItem('subject') !== subject) dropDrafts();
  ofTab().setItem('subject', subject);
}

/**
 * The stored choices in dependency order. On the guided path, a user who has filled one form with its examples gets
 * them in every further form that has no draft.
 */
function draftedChoices(id: JourneyId, guided: boolean): AnyEventObject[] {
  const { choices, fields } = read(id);
  const begun = Object.keys(choices).length > 0 || Object.keys(fields).length > 0;
  if (guided && !begun && likesExamples()) return [{ type: 'form.fill' }];
  return choiceTypes.flatMap((type) => choices[type] ?? []);
}

/** The stored values of this form's fields that differ from the shown ones. */
function draftOf(id: JourneyId, form: Form, shown: Values): { field: string; value: string }[] {
  const { fields } = read(id);
  return form.fields.flatMap(({ id: field }) => {
    const value = fields[field];
    return value === undefined || value === shown[field] ? [] : { field, value };
  });
}

/** Whether the stored input is nothing but what these values, which were sent, have. */
const isSent = (id: JourneyId, values: Values | undefined): boolean =>
  !values || Object.entries(read(id).fields).every(([field, value]) => values[field] === value);

/**
 * Restores the stored choices and input when a form of the journey opens, and deletes them once they are sent or the journey
 * ends. A journey may open with what was sent earlier, whose answer is awaited: then other input, typed for something else
 * meanwhile, is kept. Each choice is restored only once; after that the user may change it.
 */
export function restoreDraft(id: JourneyId, step: AnyActorRef, guided = false): void {
  let waiting: AnyEventObject[] | undefined;
  let filled: Form | null = null;
  const look = (now: AnyMachineSnapshot) => {
    const { form, values } = now.context as Partial<FormState>; // of those journeys that have a form
    // Sent input is no longer a draft, even while its answer is awaited.
    const isOver = now.hasTag('done') || now.hasTag('told') || now.status === 'done';
    if (isOver && (waiting || isSent(id, values))) dropDraft(id);
    if (!now.hasTag('form') || now.hasTag('busy')) filled = null;
    else if (form !== filled || form === undefined) {
      waiting ??= draftedChoices(id, guided);
      const choice = waiting.find((each) => now.can(each));
      waiting = waiting.filter((each) => each !== choice);
      // The resulting state is handled by the next call of `look`.
      if (choice) return step.send(choice);
      filled = form ?? null;
      if (form && values) draftOf(id, form, values).forEach((each) => step.send({ type: 'form.change', ...each }));
    }
  };
  step.subscribe({ next: look, error: () => undefined });
}
