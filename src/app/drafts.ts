import type { AnyActorRef, AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { FormState } from '#machines/form.ts';
import { journeyOrder, type JourneyId } from '#machines/journeys.ts';
import type { Form, Values } from '#rules/field.ts';

/**
 * What was chosen and typed in a journey and not sent yet, kept for this tab so that a reload loses nothing: of each
 * kind of choice the last one, of the form field by field. Only fields that the open form has are given back.
 */
interface Draft {
  choices: Readonly<Record<string, AnyEventObject>>;
  fields: Values;
}

/** Events that say which of several things is meant, in the order in which one builds on the other. */
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
  (JSON.parse(sessionStorage.getItem(slotOf(id)) ?? 'null') as Draft | null) ?? { choices: {}, fields: {} }; // only write writes it

const write = (id: JourneyId, draft: Draft): void => sessionStorage.setItem(slotOf(id), JSON.stringify(draft));

/** Keeps what an event says, if it says something to keep. */
export function keepDraft(id: JourneyId, event: AnyEventObject): void {
  const { choices, fields } = read(id);
  if (event.type === 'form.fill') sessionStorage.setItem('examples', 'true');
  if (event.type === 'form.change') {
    const { field, value } = event as unknown as { field: string; value: string }; // the event of machines/form.ts
    write(id, { choices, fields: { ...fields, [field]: value } });
  } else if (choiceTypes.includes(event.type)) write(id, { choices: { ...choices, [event.type]: event }, fields });
  else if (event.type === 'provider.clear') write(id, { choices: {}, fields });
}

/** Whether the user of this tab has filled a form with its examples. */
const likesExamples = (): boolean => sessionStorage.getItem('examples') === 'true';

const dropDraft = (id: JourneyId): void => sessionStorage.removeItem(slotOf(id));

/** Everything that was kept in this tab. */
export function dropDrafts(): void {
  for (const id of journeyOrder) dropDraft(id);
  sessionStorage.removeItem('examples');
}

/**
 * Drops what another user of this tab has left, whose session ended elsewhere or by itself. `subject` says who
 * is signed in now, whatever the name: '' where nobody has to.
 */
export function claimDrafts(subject: string): void {
  if (sessionStorage.getItem('subject') !== subject) dropDrafts();
  sessionStorage.setItem('subject', subject);
}

/**
 * The kept choices in their order. On the guided path who has taken the examples once is given them in each form that
 * comes, where no draft says otherwise.
 */
function draftedChoices(id: JourneyId, guided: boolean): AnyEventObject[] {
  const { choices, fields } = read(id);
  const begun = Object.keys(choices).length > 0 || Object.keys(fields).length > 0;
  if (guided && !begun && likesExamples()) return [{ type: 'form.fill' }];
  return choiceTypes.flatMap((type) => choices[type] ?? []);
}

/** The kept values of this form's fields that differ from those it shows. */
function draftOf(id: JourneyId, form: Form, shown: Values): { field: string; value: string }[] {
  const { fields } = read(id);
  return form.fields.flatMap(({ id: field }) => {
    const value = fields[field];
    return value === undefined || value === shown[field] ? [] : { field, value };
  });
}

/**
 * Gives back what was chosen and typed before a reload as soon as a form of the journey is open, and forgets it when the
 * journey has ended. Choices are given back once: later they are the user's.
 */
export function restoreDraft(id: JourneyId, step: AnyActorRef, guided = false): void {
  let waiting: AnyEventObject[] | undefined;
  let filled: Form | null = null;
  const look = (now: AnyMachineSnapshot) => {
    // What was sent is no draft, even though its answer is still awaited.
    if (now.hasTag('done') || now.hasTag('told') || now.status === 'done') dropDraft(id);
    const { form, values } = now.context as Partial<FormState>; // of those journeys that have a form
    if (!now.hasTag('form') || now.hasTag('busy')) filled = null;
    else if (form !== filled || form === undefined) {
      waiting ??= draftedChoices(id, guided);
      const choice = waiting.find((each) => now.can(each));
      waiting = waiting.filter((each) => each !== choice);
      // What it leads to is looked at next.
      if (choice) return step.send(choice);
      filled = form ?? null;
      if (form && values) draftOf(id, form, values).forEach((each) => step.send({ type: 'form.change', ...each }));
    }
  };
  step.subscribe({ next: look, error: () => undefined });
}
